import type { ProviderFetch, ProviderResponse } from "../contract/provider.ts";
import type { ProviderFailures } from "./provider-failures.ts";

/** The options of a request; every request can be aborted. */
export type ProviderRequest = Parameters<ProviderFetch>[1] & { readonly signal: AbortSignal };

/** Sends a provider's requests, and makes its errors of whatever does not work. */
export class ProviderClient {
  readonly #fetch: ProviderFetch;
  readonly #failures: ProviderFailures;

  constructor(fetch: ProviderFetch, failures: ProviderFailures) {
    this.#fetch = fetch;
    this.#failures = failures;
  }

  /** Rejects unless the answer is 2xx. */
  async send(url: string, request: ProviderRequest): Promise<ProviderResponse> {
    const { signal } = request;
    signal.throwIfAborted();
    const response = await this.#fetch(url, request).catch((error: unknown) => this.#broken(error, signal));
    if (response.status >= 200 && response.status < 300) return response;
    throw await this.#failures.fromResponse(response);
  }

  /** The same, its answer read as JSON. */
  async json(url: string, request: ProviderRequest): Promise<unknown> {
    const response = await this.send(url, request);
    const text = await response.text().catch((error: unknown) => this.#broken(error, request.signal));
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw this.#failures.unreadable("answered with something that is not JSON", text);
    }
  }

  #broken(error: unknown, signal: AbortSignal): never {
    signal.throwIfAborted();
    throw this.#failures.connectionFailed(error);
  }
}
