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
import { addressOf, headersOf, runtimeAddressOf } from "./address.ts";
import { AnswerReader } from "./answer-reader.ts";
import { chatFormat } from "./chat-format.ts";
import type { Format } from "./format.ts";
import { GithubSession } from "./github/github-session.ts";
import { hasImage } from "./has-image.ts";
import type { Preset } from "./preset.ts";
import { readFailure } from "./read-failure.ts";
import { readEndpoints } from "./read-endpoints.ts";
import { readListing } from "./read-listing.ts";
import { readVectors } from "./read-vectors.ts";
import { responsesFormat } from "./responses/format.ts";

/** Texts of one request for vectors. */
const batch = 256;

type Init = Parameters<ProviderFetch>[1] & { readonly signal: AbortSignal };

/** A vendor, a runtime or a router that speaks the chat-completions format. */
export class ChatCompletions implements Provider {
  /** Only where the vendor has one. */
  readonly login?: NonNullable<Provider["login"]>;
  readonly quota?: NonNullable<Provider["quota"]>;
  readonly #preset: Preset;
  readonly #settings: ProviderSettings;
  readonly #fetch: ProviderFetch;
  readonly #clock: Clock;
  readonly #failures: ProviderFailures;
  readonly #address: (path: string) => string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #session: GithubSession | undefined;
  /** Whether a model understands the Responses format only, as far as the listing told. */
  #onlyResponses: ReadonlyMap<string, boolean> = new Map();

  constructor(preset: Preset, settings: ProviderSettings, door: ProviderDoor) {
    const { fetch, clock } = door;
    this.#preset = preset;
    this.#settings = settings;
    this.#fetch = fetch;
    this.#clock = clock;
    this.#failures = new ProviderFailures(settings, { clock, read: readFailure, keyVariable: preset.keyVariable });
    this.#address = addressOf(preset, settings);
    this.#headers = headersOf(preset, settings);
    if (preset.login === undefined) return;
    const session = new GithubSession(preset.login, settings, door, this.#failures);
    this.#session = session;
    this.login = (signal) => session.login(signal);
    this.quota = (options, signal) => session.quota(options, signal);
  }

  /** The vendor's models, or the table where its listing is one. Settings that name models choose among them, and stand in when it fails. */
  async listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const named = this.#settings.models;
    try {
      const listed = await this.#list(signal);
      return named.length === 0 ? listed : named.map((id) => listed.find((info) => info.id === id) ?? { id });
    } catch (error) {
      if (named.length === 0) throw error;
      return named.map((id) => ({ id }));
    }
  }

  async *stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const format = this.#formatOf(call);
    const { body, warnings } = format.build(call, this.#preset, this.#settings.extra);
    const connection = new AnswerConnection(signal);
    const { timeoutSeconds } = this.#settings;
    const reader = new AnswerReader(format.read(this.#preset), this.#failures, this.#clock, { timeoutSeconds, warnings });
    try {
      const headers = this.#callHeaders(call);
      const response = await this.#send(this.#address(format.path), { method: "POST", headers, body, signal: connection.signal });
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

  /** Vectors of unit length, one for each text. */
  async embed(model: string, texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let first = 0; first < texts.length; first += batch) {
      const input = texts.slice(first, first + batch);
      const body = JSON.stringify({ model, input, encoding_format: "float" });
      const answer = await this.#json(this.#address("/embeddings"), { method: "POST", body, signal });
      const read = readVectors(answer, input.length);
      if (read === undefined) throw this.#failures.unreadable("did not give a vector for every text");
      vectors.push(...read);
    }
    return vectors;
  }

  async close(): Promise<void> {
    this.#session?.close();
  }

  /** What is to go out as it came is a chat completion. */
  #formatOf({ model, raw }: ModelCall): Format {
    const onlyResponses = this.#onlyResponses.get(model) ?? this.#preset.responses?.test(model);
    return onlyResponses === true && raw === undefined ? responsesFormat : chatFormat;
  }

  #callHeaders({ initiator = "user", messages }: ModelCall): Readonly<Record<string, string>> {
    const { callHeaders: names } = this.#preset;
    if (names === undefined) return {};
    return { [names.initiator]: initiator, ...(messages.some(hasImage) ? { [names.images]: "true" } : {}) };
  }

  async #list(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const { listing, unlisted, details } = this.#preset;
    if (typeof listing !== "string") return listing;
    const answer = await this.#json(this.#address(listing), { signal });
    const models = readListing(answer);
    if (models === undefined) throw this.#failures.unreadable("gave a listing that is none");
    this.#onlyResponses = readEndpoints(answer);
    const usable = unlisted === undefined ? models : models.filter(({ id }) => !unlisted.test(id));
    return details === undefined ? usable : details(usable, (path, body) => this.#runtime(path, body, signal));
  }

  #runtime(path: string, body: object | undefined, signal: AbortSignal): Promise<unknown> {
    const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    return this.#json(runtimeAddressOf(this.#address)(path), { ...post, signal });
  }

  async #json(address: string, init: Init): Promise<unknown> {
    const response = await this.#send(address, init);
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
    if (this.#preset.needsKey === true && this.#headers["authorization"] === undefined) throw this.#failures.keyMissing();
    const token = await this.#session?.token(init.signal);
    const headers = { ...this.#headers, ...init.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const response = await this.#fetch(address, { ...init, headers }).catch((error: unknown) => {
      init.signal.throwIfAborted();
      throw this.#failures.broken(error);
    });
    if (response.status >= 200 && response.status < 300) return response;
    if (response.status === 401 && token !== undefined) await this.#session?.refused(token);
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
