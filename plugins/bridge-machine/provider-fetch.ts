import type { LookupFunction } from "node:net";
import type { ProviderFetch } from "@pergola/sdk";
import type { Pool } from "undici";
import { guardedConnector, publicAddresses } from "./addresses.ts";
import { Exchange, failed, type Limits } from "./exchange.ts";

export interface ProviderFetchOptions extends Limits {
  readonly baseUrl: string;
  readonly lookup?: LookupFunction;
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

async function openPool(origin: string, lookup?: LookupFunction): Promise<Pool> {
  const [{ Pool }, isPublic] = await Promise.all([import("undici"), publicAddresses()]);
  const accepts = origin.startsWith("https:") ? () => true : (address: string) => !isPublic(address);
  return new Pool(origin, {
    connect: await guardedConnector(accepts, lookup),
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
  });
}

/**
 * Sends requests to the provider's own address and nowhere else: no other host, no redirect, and http only to loopback and private
 * addresses. Connections are kept and used again. Rejects with AppError `provider_error` (`details.retryable`) or `provider_timeout`, or
 * with the signal's reason.
 */
export function createProviderFetch(options: ProviderFetchOptions): ProviderFetch & { close(): Promise<void> } {
  const origin = originOf(options.baseUrl) ?? "";
  let pool: Promise<Pool> | undefined;
  const send: ProviderFetch = async (url, { method = "GET", headers = {}, body, signal }) => {
    if (originOf(url) !== origin) throw failed("The address is not the provider's own; its key stays here.", false);
    const { pathname, search } = new URL(url);
    const dispatcher = await (pool ??= openPool(origin, options.lookup));
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(options, signal, { resolve, reject });
      dispatcher.dispatch({ path: pathname + search, method, headers, body: body ?? null }, exchange);
    });
  };
  return Object.assign(send, { close: async () => (await pool)?.destroy() });
}
