import {
  AppError,
  ProviderClient,
  type ProviderFailures,
  type ProviderFetch,
  type ProviderResponse,
  type ProviderSettings,
} from "@pergola/sdk";

interface Request {
  readonly method?: "GET" | "POST";
  readonly body?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Sends requests below the provider's base URL, whose query is kept. The key goes into a header, never into
 * an address.
 */
export class Transport {
  readonly #client: ProviderClient;
  readonly #failures: ProviderFailures;
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;

  /** Throws AppError `invalid_value`. */
  constructor(
    { name, baseUrl = "", apiKey, headers }: ProviderSettings,
    fetch: ProviderFetch,
    failures: ProviderFailures,
  ) {
    if (!URL.canParse(baseUrl)) {
      const message = `${name} needs a base_url, such as https://generativelanguage.googleapis.com/v1beta.`;
      throw new AppError({ code: "invalid_value", message, param: "base_url" });
    }
    this.#base = new URL(baseUrl);
    this.#client = new ProviderClient(fetch, failures);
    this.#failures = failures;
    this.#headers = {
      "content-type": "application/json",
      ...(apiKey === undefined || apiKey === "" ? {} : { "x-goog-api-key": apiKey }),
      ...(Object.fromEntries(
        Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]),
      ) as Record<string, string>),
    };
  }

  /** Rejects unless the answer is 2xx, and without asking where there is no key. */
  async send(path: string, { query, ...request }: Request): Promise<ProviderResponse> {
    return this.#client.send(this.#addressOf(path, query), { ...request, headers: this.#authorised() });
  }

  /** The same, its answer read as JSON. */
  async json(path: string, { query, ...request }: Request): Promise<unknown> {
    return this.#client.json(this.#addressOf(path, query), { ...request, headers: this.#authorised() });
  }

  #authorised(): Readonly<Record<string, string>> {
    if (this.#headers["x-goog-api-key"] === undefined && this.#headers["authorization"] === undefined)
      throw this.#failures.keyMissing();
    return this.#headers;
  }

  #addressOf(path: string, query: Request["query"] = {}): string {
    const address = new URL(this.#base);
    address.pathname = this.#base.pathname.replace(/\/+$/, "") + path;
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    return address.href;
  }
}
