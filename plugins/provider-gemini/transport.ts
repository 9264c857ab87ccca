import { type ProviderFailures, AppError, type ProviderFetch, type ProviderResponse, type ProviderSettings } from "@pergola/sdk";
import { parsed } from "./values.ts";

interface Request {
  readonly method?: "GET" | "POST";
  readonly body?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Sends requests below the provider's base URL, whose query is kept. The key goes into a header, never into an address. */
export class Transport {
  readonly #fetch: ProviderFetch;
  readonly #failures: ProviderFailures;
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;

  /** Throws AppError `invalid_value`. */
  constructor({ name, baseUrl = "", apiKey, headers }: ProviderSettings, fetch: ProviderFetch, failures: ProviderFailures) {
    if (!URL.canParse(baseUrl)) {
      const message = `${name} needs a base_url, such as https://generativelanguage.googleapis.com/v1beta.`;
      throw new AppError({ code: "invalid_value", message, param: "base_url" });
    }
    this.#base = new URL(baseUrl);
    this.#fetch = fetch;
    this.#failures = failures;
    this.#headers = {
      "content-type": "application/json",
      ...(apiKey === undefined || apiKey === "" ? {} : { "x-goog-api-key": apiKey }),
      ...(Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value])) as Record<string, string>),
    };
  }

  /** Rejects unless the answer is 2xx, and without asking where there is no key. */
  async send(path: string, { query = {}, signal, ...init }: Request): Promise<ProviderResponse> {
    signal.throwIfAborted();
    if (this.#headers["x-goog-api-key"] === undefined && this.#headers["authorization"] === undefined) throw this.#failures.keyMissing();
    const address = new URL(this.#base);
    address.pathname = this.#base.pathname.replace(/\/+$/, "") + path;
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const response = await this.#fetch(address.href, { ...init, signal, headers: this.#headers }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw this.#failures.broken(error);
    });
    if (response.status >= 200 && response.status < 300) return response;
    throw await this.#failures.answered(response);
  }

  /** The same, its answer read as JSON. */
  async json(path: string, request: Request): Promise<unknown> {
    const response = await this.send(path, request);
    const text = await response.text().catch((error: unknown) => {
      request.signal.throwIfAborted();
      throw this.#failures.broken(error);
    });
    const value = parsed(text);
    if (value === undefined) throw this.#failures.unreadable("answered with something that is not JSON", text);
    return value;
  }
}
