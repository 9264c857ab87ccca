import type { LookupFunction } from "node:net";
import { publicAddresses } from "@pergola/kit-addresses";
import type { ProviderFetch } from "@pergola/sdk";
import type { Dispatcher, Pool } from "undici";
import { Exchange, failed, type Limits } from "./exchange.ts";
import { guardedConnector } from "./guarded-connector.ts";
import { loadUndici } from "./load-undici.ts";

export interface ProviderFetchOptions extends Limits {
  readonly baseUrl: string;
  /** Where requests may go beside the base URL. */
  readonly origins?: readonly string[];
  readonly lookup?: LookupFunction;
}

type Init = Parameters<ProviderFetch>[1];

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

async function openPool(origin: string, lookup?: LookupFunction): Promise<Pool> {
  const [Pool, isPublic] = [loadUndici("Pool"), await publicAddresses()];
  const accepts = origin.startsWith("https:") ? () => true : (address: string) => !isPublic(address);
  return new Pool(origin, {
    connect: guardedConnector(accepts, lookup),
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
  });
}

/** Gives the bytes once, and holds them no longer: they may be many, and the answer may take minutes. */
function once(bytes: Uint8Array): Iterable<Uint8Array> {
  const left = [bytes];
  const next = (): IteratorResult<Uint8Array> => {
    const [value] = left.splice(0);
    return value === undefined ? { done: true, value } : { done: false, value };
  };
  return { [Symbol.iterator]: () => ({ next }) };
}

type Content = Pick<Dispatcher.DispatchOptions, "headers" | "body">;

/** undici takes what can be iterated, though its types do not say so. */
function contentOf(headers: Init["headers"] = {}, body: Init["body"]): Content {
  if (body === undefined) return { headers, body: null };
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return { headers: { ...headers, "content-length": String(bytes.length) }, body: once(bytes) as never };
}

/**
 * Sends requests to the provider's own address and the origins given with it, and nowhere else: no other
 * host, no redirect, and http only to loopback and private addresses. Connections are kept and used again.
 * Rejects with AppError `provider_error` (`details.retryable`) or `provider_timeout`, or with the signal's
 * reason.
 */
export function createProviderFetch(
  options: ProviderFetchOptions,
): ProviderFetch & { close(): Promise<void> } {
  const open = new Set([options.baseUrl, ...(options.origins ?? [])].map(originOf));
  const pools = new Map<string, Promise<Pool>>();
  const poolOf = (origin: string): Promise<Pool> => {
    const pool = pools.get(origin) ?? openPool(origin, options.lookup);
    pools.set(origin, pool);
    return pool;
  };
  const send: ProviderFetch = async (url, { method = "GET", headers = {}, body, signal }) => {
    const origin = originOf(url);
    if (origin === undefined || !open.has(origin))
      throw failed("The address is not the provider's own; its key stays here.", false);
    const { pathname, search } = new URL(url);
    const dispatcher = await poolOf(origin);
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(options, signal, { resolve, reject });
      dispatcher.dispatch({ path: pathname + search, method, ...contentOf(headers, body) }, exchange);
    });
  };
  return Object.assign(send, {
    close: async () =>
      void (await Promise.all([...pools.values()].map(async (pool) => (await pool).destroy()))),
  });
}
