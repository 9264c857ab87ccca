import type { LookupFunction } from "node:net";
import { publicAddresses } from "@pergola/kit-addresses";
import type { ProviderFetch } from "@pergola/sdk";
import type { Pool } from "undici";
import { Exchange, failed, type Limits } from "./exchange.ts";
import { guardedConnector } from "./guarded-connector.ts";
import { loadUndici } from "./load-undici.ts";

export interface ProviderFetchOptions extends Limits {
  readonly baseUrl: string;
  /** Where requests may go beside the base URL. */
  readonly origins?: readonly string[];
  readonly lookup?: LookupFunction;
}

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
      dispatcher.dispatch(
        {
          path: pathname + search,
          method,
          headers,
          body: body ?? null,
        },
        exchange,
      );
    });
  };
  return Object.assign(send, {
    close: async () =>
      void (await Promise.all([...pools.values()].map(async (pool) => (await pool).destroy()))),
  });
}
