import {
  AppError,
  ProviderClient,
  ProviderFailures,
  streamAnswer,
  type Clock,
  type ModelCall,
  type ModelEvent,
  type ModelInfo,
  type Provider,
  type ProviderDoor,
  type ProviderRequest,
  type ProviderResponse,
  type ProviderSettings,
} from "@pergola/sdk";
import { addressOf, headersOf, runtimeAddressOf } from "./address.ts";
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

/** A vendor, a runtime or a router that speaks the chat-completions format. */
export class ChatCompletions implements Provider {
  /** Only where the vendor has one. */
  readonly login?: NonNullable<Provider["login"]>;
  readonly quota?: NonNullable<Provider["quota"]>;
  readonly #preset: Preset;
  readonly #settings: ProviderSettings;
  readonly #clock: Clock;
  readonly #failures: ProviderFailures;
  readonly #client: ProviderClient;
  readonly #address: (path: string) => string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #session: GithubSession | undefined;
  /** Whether a model understands the Responses format only, as far as the listing told. */
  #onlyResponses: ReadonlyMap<string, boolean> = new Map();

  constructor(preset: Preset, settings: ProviderSettings, door: ProviderDoor) {
    const { fetch, clock } = door;
    this.#preset = preset;
    this.#settings = settings;
    this.#clock = clock;
    this.#failures = new ProviderFailures(settings, {
      clock,
      read: readFailure,
      keyVariable: preset.keyVariable,
    });
    this.#client = new ProviderClient(fetch, this.#failures);
    this.#address = addressOf(preset, settings);
    this.#headers = headersOf(preset, settings);
    if (preset.login === undefined) return;
    const session = new GithubSession(preset.login, settings, door, this.#failures);
    this.#session = session;
    this.login = (signal) => session.login(signal);
    this.quota = (options, signal) => session.quota(options, signal);
  }

  /**
   * The vendor's models, or the table where its listing is one. Settings that name models choose among them,
   * and stand in when it fails.
   */
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

  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const format = this.#formatOf(call);
    const { body, warnings } = format.build(call, this.#preset, this.#settings.extra);
    const headers = this.#callHeaders(call);
    return streamAnswer(
      {
        ask: (connection) =>
          this.#send(this.#address(format.path), { method: "POST", headers, body, signal: connection }),
        reader: (events) => format.reader(events, this.#preset),
        failures: this.#failures,
        clock: this.#clock,
        timeoutSeconds: this.#settings.timeoutSeconds,
        warnings,
      },
      signal,
    );
  }

  /** Vectors of unit length, one for each text. */
  async embed(
    model: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
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
    return details === undefined
      ? usable
      : details(usable, (path, body) => this.#runtime(path, body, signal));
  }

  #runtime(path: string, body: object | undefined, signal: AbortSignal): Promise<unknown> {
    const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    return this.#json(runtimeAddressOf(this.#address)(path), { ...post, signal });
  }

  async #json(address: string, request: ProviderRequest): Promise<unknown> {
    return this.#authorised(request, (authorised) => this.#client.json(address, authorised));
  }

  async #send(address: string, request: ProviderRequest): Promise<ProviderResponse> {
    return this.#authorised(request, (authorised) => this.#client.send(address, authorised));
  }

  /** The request with the key, or with the login's token, which is given up when it is refused. */
  async #authorised<T>(request: ProviderRequest, send: (request: ProviderRequest) => Promise<T>): Promise<T> {
    request.signal.throwIfAborted();
    if (this.#preset.needsKey === true && this.#headers["authorization"] === undefined)
      throw this.#failures.keyMissing();
    const token = await this.#session?.token(request.signal);
    const headers = {
      ...this.#headers,
      ...request.headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    try {
      return await send({ ...request, headers });
    } catch (error) {
      if (token !== undefined && AppError.is(error) && error.details?.["status"] === 401)
        await this.#session?.refused(token);
      throw error;
    }
  }
}
