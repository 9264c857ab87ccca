import {
  AnswerConnection,
  ProviderFailures,
  type Clock,
  type ModelCall,
  type ModelEvent,
  type ModelInfo,
  type Provider,
  type ProviderDoor,
  type ProviderFetch,
  type ProviderResponse,
  type ProviderSettings,
} from "@pergola/sdk";
import { readFailure } from "./read-failure.ts";
import { addressOf, headersOf } from "./address.ts";
import { AnswerReader } from "./answer-reader.ts";
import { buildRequest } from "./build-request.ts";
import { traitsByName, type ModelTraits } from "./model-traits.ts";
import { readListing, type Listed } from "./read-listing.ts";

type Init = Parameters<ProviderFetch>[1] & { readonly signal: AbortSignal };

/** Models of one page of a listing, and the pages that are read at most. */
const pageSize = 1000;
const pages = 20;

/** A vendor or a gateway that speaks the Messages format. */
export class Anthropic implements Provider {
  readonly #settings: ProviderSettings;
  readonly #fetch: ProviderFetch;
  readonly #clock: Clock;
  readonly #failures: ProviderFailures;
  readonly #address: (path: string) => string;
  readonly #headers: Readonly<Record<string, string>>;
  /** Of the models that were listed. */
  readonly #traits = new Map<string, ModelTraits>();

  constructor(settings: ProviderSettings, { fetch, clock }: ProviderDoor) {
    this.#settings = settings;
    this.#fetch = fetch;
    this.#clock = clock;
    this.#failures = new ProviderFailures(settings, { clock, read: readFailure, keyVariable: "ANTHROPIC_API_KEY", passing: [529] });
    this.#address = addressOf(settings);
    this.#headers = headersOf(settings);
  }

  /** The vendor's models. Settings that name models choose among them, and stand in when the listing fails. */
  async listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const named = this.#settings.models;
    try {
      const listed = (await this.#list(signal)).map(({ info }) => info);
      return named.length === 0 ? listed : named.map((id) => listed.find((info) => info.id === id) ?? { id });
    } catch (error) {
      if (named.length === 0) throw error;
      return named.map((id) => ({ id }));
    }
  }

  async *stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const traits = this.#traits.get(call.model) ?? traitsByName(call.model);
    const { body, names, warnings } = buildRequest(call, traits, this.#settings.extra);
    const connection = new AnswerConnection(signal);
    const reader = new AnswerReader(this.#failures, this.#clock, { timeoutSeconds: this.#settings.timeoutSeconds, names, warnings });
    try {
      const response = await this.#send(this.#address("/messages"), { method: "POST", body, signal: connection.signal });
      while (!reader.over) {
        const bytes = await this.#next(connection, response, reader.finished);
        for (const event of reader.take(bytes)) {
          signal.throwIfAborted();
          yield event;
        }
        signal.throwIfAborted();
      }
      if (reader.failure !== undefined) throw reader.failure;
    } finally {
      await connection.leave(reader.finished);
    }
  }

  async #list(signal: AbortSignal): Promise<readonly Listed[]> {
    const models = new Map<string, Listed>();
    let after: string | undefined;
    for (let page = 0; page < pages; page++) {
      const from = after === undefined ? "" : `&after_id=${encodeURIComponent(after)}`;
      const listing = readListing(await this.#json(`/models?limit=${pageSize}${from}`, { signal }));
      if (listing === undefined) throw this.#failures.unreadable("gave a listing that is none");
      for (const listed of listing.models) models.set(listed.info.id, listed);
      if (listing.after === undefined || listing.after === after) break;
      after = listing.after;
    }
    for (const [id, { traits }] of models) this.#traits.set(id, traits);
    return [...models.values()];
  }

  async #json(path: string, init: Init): Promise<unknown> {
    const response = await this.#send(this.#address(path), init);
    const text = await response.text().catch((error: unknown) => {
      init.signal.throwIfAborted();
      throw this.#failures.broken(error);
    });
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw this.#failures.unreadable("answered with something that is not JSON", text);
    }
  }

  async #send(address: string, init: Init): Promise<ProviderResponse> {
    init.signal.throwIfAborted();
    if (this.#headers["x-api-key"] === undefined && this.#headers["authorization"] === undefined) throw this.#failures.keyMissing();
    const response = await this.#fetch(address, { ...init, headers: this.#headers }).catch((error: unknown) => {
      init.signal.throwIfAborted();
      throw this.#failures.broken(error);
    });
    if (response.status >= 200 && response.status < 300) return response;
    throw await this.#failures.answered(response);
  }

  /** The next bytes; undefined at the end. A connection that breaks once the answer is complete has only ended. */
  async #next(connection: AnswerConnection, { body }: ProviderResponse, finished: boolean): Promise<Uint8Array | undefined> {
    try {
      const step = await connection.next(body);
      return step.done === true ? undefined : step.value;
    } catch (error) {
      connection.signal.throwIfAborted();
      if (finished) return undefined;
      throw this.#failures.broken(error);
    }
  }
}
