import {
  AppError,
  defined,
  ProviderClient,
  ProviderFailures,
  streamAnswer,
  type Clock,
  type ModelEvent,
  type ProviderDoor,
  type ProviderRequest,
  type ProviderResponse,
  type ProviderSettings,
} from "@pergola/sdk";
import { vectorOf } from "./vectors.ts";

type AnswerOptions = Parameters<typeof streamAnswer>[0];
type FailureOptions = ConstructorParameters<typeof ProviderFailures>[1];
type Headers = Readonly<Record<string, string>>;
type Send<T> = (headers: Headers) => Promise<T>;

export interface ApiOptions extends Omit<FailureOptions, "clock"> {
  /** Stands in the error for settings without a usable base URL. */
  readonly exampleUrl: string;
  /** Stands between the base URL and every path, unless the base URL ends with it: `/v1`. */
  readonly root?: string | undefined;
  /** Sent with every request; names in lower case. The settings' own headers win. */
  readonly headers?: Headers | undefined;
  /** The header that carries the key; `authorization` carries it as a bearer token. None: it is not sent. */
  readonly keyHeader?: string | undefined;
  /** Requests without a key, or a header that authorizes, fail before they are sent. */
  readonly needsKey?: boolean | undefined;
  /** Sends with the headers of a login. */
  readonly login?: (<T>(send: Send<T>, signal: AbortSignal) => Promise<T>) | undefined;
}

export interface ApiRequest extends ProviderRequest {
  readonly query?: Readonly<Record<string, string>>;
  /** A W3C traceparent, for the header of that name. */
  readonly trace?: string | undefined;
}

export interface StreamRequest
  extends Omit<ApiRequest, "signal">, Pick<AnswerOptions, "reader" | "warnings"> {
  readonly path: string;
}

/**
 * The HTTP side of a provider: addresses below the base URL, headers and key, requests, streamed answers and
 * their failures. Paths begin with `/`; anything else is taken for a whole URL.
 */
export class ProviderApi {
  /** For the failures that only the provider itself can see. */
  readonly failures: ProviderFailures;
  readonly #options: ApiOptions;
  readonly #client: ProviderClient;
  readonly #clock: Clock;
  readonly #timeoutSeconds: number;
  readonly #base: URL;
  /** The path before every path. */
  readonly #root: string;
  readonly #headers: Headers;

  /** Throws AppError `invalid_value` if the settings name no usable base URL. */
  constructor(settings: ProviderSettings, { fetch, clock }: ProviderDoor, options: ApiOptions) {
    this.failures = new ProviderFailures(settings, { ...options, clock });
    this.#options = options;
    this.#client = new ProviderClient(fetch, this.failures);
    this.#clock = clock;
    this.#timeoutSeconds = settings.timeoutSeconds;
    this.#base = baseOf(settings, options.exampleUrl);
    this.#root = rootOf(this.#base, options.root);
    this.#headers = headersOf(settings, options);
  }

  /** The URL of a path below the base URL, whose own query is kept. */
  url(path: string, query: ApiRequest["query"] = {}): string {
    const url = new URL(this.#base);
    url.pathname = this.#root + path;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Rejects unless the answer is 2xx. */
  send(path: string, request: ApiRequest): Promise<ProviderResponse> {
    return this.#authorized(path, request, (url, authorized) => this.#client.send(url, authorized));
  }

  /** The same, with the answer read as JSON. */
  json(path: string, request: ApiRequest): Promise<unknown> {
    return this.#authorized(path, request, (url, authorized) => this.#client.json(url, authorized));
  }

  /** A listing, or a page of it; `read` gives undefined for an answer that is none. */
  async listing<T>(path: string, request: ApiRequest, read: (answer: unknown) => T | undefined): Promise<T> {
    const listing = read(await this.json(path, request));
    if (listing === undefined) throw this.failures.unreadable("gave a listing that is none");
    return listing;
  }

  /** Posts a body and reads the answer as it comes; see `streamAnswer` of the SDK. */
  stream(request: StreamRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const { path, reader, warnings = [], ...rest } = request;
    let unsent: typeof rest | undefined = rest;
    const options: AnswerOptions = {
      ask: (connection) => {
        const sent = this.send(path, { method: "POST", ...unsent, signal: connection });
        // A body may be large, and its answer may take minutes.
        unsent = undefined;
        return sent;
      },
      reader,
      warnings,
      failures: this.failures,
      clock: this.#clock,
      timeoutSeconds: this.#timeoutSeconds,
    };
    return streamAnswer(options, signal);
  }

  /**
   * Vectors as the provider gives them, one for each text. `load` gets the texts of one request, at most
   * `batchSize`, and gives their vectors in order.
   */
  async embed(
    texts: readonly string[],
    batchSize: number,
    load: (batch: readonly string[]) => Promise<readonly unknown[]>,
  ): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += batchSize) {
      const batch = texts.slice(start, start + batchSize);
      const loaded = (await load(batch)).map(vectorOf).filter((vector) => vector !== undefined);
      if (loaded.length !== batch.length)
        throw this.failures.unreadable("did not give a vector for every text");
      vectors.push(...loaded);
    }
    return vectors;
  }

  async #authorized<T>(
    path: string,
    { query, trace, ...request }: ApiRequest,
    send: (url: string, request: ProviderRequest) => Promise<T>,
  ): Promise<T> {
    request.signal.throwIfAborted();
    this.#expectKey();
    const url = path.startsWith("/") ? this.url(path, query) : path;
    const headers = { ...this.#headers, ...request.headers, ...defined({ traceparent: trace }) };
    const sendWith: Send<T> = (login) => send(url, { ...request, headers: { ...headers, ...login } });
    if (this.#options.login === undefined) return sendWith({});
    return this.#options.login(sendWith, request.signal);
  }

  #expectKey(): void {
    const { needsKey = false, keyHeader = "authorization" } = this.#options;
    const isAuthorized = keyHeader in this.#headers || "authorization" in this.#headers;
    if (needsKey && !isAuthorized) throw this.failures.keyMissing();
  }
}

function baseOf({ name, baseUrl = "" }: ProviderSettings, exampleUrl: string): URL {
  if (URL.canParse(baseUrl)) return new URL(baseUrl);
  throw new AppError({
    code: "invalid_value",
    message: `${name} needs a base_url, such as ${exampleUrl}.`,
    param: "base_url",
  });
}

function rootOf({ pathname }: URL, root = ""): string {
  const path = pathname.replace(/\/+$/, "");
  return path.endsWith(root) ? path : path + root;
}

function headersOf({ apiKey = "", headers: own }: ProviderSettings, options: ApiOptions): Headers {
  const { keyHeader, headers } = options;
  const lowerCase = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    "content-type": "application/json",
    ...headers,
    ...(apiKey !== "" && keyHeader !== undefined && keyHeaders(keyHeader, apiKey)),
    ...Object.fromEntries(lowerCase),
  };
}

function keyHeaders(name: string, key: string): Headers {
  return { [name]: name === "authorization" ? `Bearer ${key}` : key };
}
