import {
  defined,
  type ModelCall,
  type ModelEvent,
  type ModelInfo,
  type Provider,
  type ProviderDoor,
  type ProviderSettings,
} from "@pergola/sdk";
import { hasImage, listNamed, ProviderApi, readChatFailure } from "@pergola/kit-provider";
import { chatFormat } from "./chat-format.ts";
import type { Format } from "./format.ts";
import { GithubSession } from "./github/github-session.ts";
import type { Preset } from "./preset.ts";
import { readListing } from "./read-listing.ts";
import { readTokens, readVectors } from "./read-vectors.ts";
import type { AskRuntime } from "./runtime-details.ts";
import { responsesFormat } from "./responses/format.ts";
import { readEndpoints } from "./responses/read-endpoints.ts";

/** Texts of one request for vectors; milliseconds that a runtime has to tell what it has in memory. */
const [batchSize, asking] = [256, 5000];

/** Undefined where one of the counts is missing. */
function totalOf(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  if (known.length < counts.length) return undefined;
  return known.reduce((sum, count) => sum + count, 0);
}

/** A vendor, a runtime or a router that speaks the chat-completions format. */
export class ChatCompletions implements Provider {
  /** Only where the vendor has one. */
  readonly login?: NonNullable<Provider["login"]>;
  readonly quota?: NonNullable<Provider["quota"]>;
  /** Only where the runtime tells. */
  readonly loaded?: NonNullable<Provider["loaded"]>;
  readonly unload?: NonNullable<Provider["unload"]>;
  readonly #preset: Preset;
  readonly #settings: ProviderSettings;
  readonly #api: ProviderApi;
  readonly #session: GithubSession | undefined;
  /** Whether a model understands the Responses format only, as far as the listing says. */
  #onlyResponses: ReadonlyMap<string, boolean> = new Map();

  constructor(preset: Preset, settings: ProviderSettings, door: ProviderDoor) {
    const { keyVariable, needsKey, root, headers, login } = preset;
    this.#preset = preset;
    this.#settings = settings;
    this.#api = new ProviderApi(settings, door, {
      read: readChatFailure,
      keyVariable,
      keyHeader: login === undefined ? "authorization" : undefined,
      needsKey,
      headers,
      root,
      exampleUrl: "http://127.0.0.1:8000/v1",
      login: login && ((send, signal) => session.authorize(send, signal)),
    });
    const { memory } = preset;
    if (memory !== undefined) {
      const ask: AskRuntime = (path, body) => this.#askRuntime(path, body, AbortSignal.timeout(asking));
      this.loaded = () => memory.loaded(ask);
      this.unload = (model) => memory.unload(ask, model);
    }
    if (login === undefined) return;
    const session = new GithubSession(login, settings, door, this.#api.failures);
    this.#session = session;
    this.login = (signal) => session.login(signal);
    this.quota = (options, signal) => session.quota(options, signal);
  }

  /** The vendor's models, or the preset's own table. */
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return listNamed(this.#settings.models, () => this.#list(signal));
  }

  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const format = this.#formatOf(call);
    const { body, warnings } = format.build(call, this.#preset, this.#settings.extra);
    const request = {
      path: format.path,
      headers: this.#callHeaders(call),
      trace: call.trace,
      body,
      warnings,
    };
    return this.#api.stream({ ...request, reader: (events) => format.reader(events, this.#preset) }, signal);
  }

  takesFormat(): boolean {
    return this.#preset.formats !== "json_object";
  }

  async embed(model: string, texts: readonly string[], signal: AbortSignal, trace?: string) {
    const counts: (number | undefined)[] = [];
    const vectors = await this.#api.embed(texts, batchSize, async (input) => {
      const body = JSON.stringify({ model, input, encoding_format: "float" });
      const answer = await this.#api.json("/embeddings", { method: "POST", body, signal, trace });
      counts.push(readTokens(answer));
      return readVectors(answer, input.length);
    });
    return { vectors, promptTokens: totalOf(counts) };
  }

  async close(): Promise<void> {
    this.#session?.close();
  }

  /** A bypassed body is always a chat completion. */
  #formatOf({ model, raw }: ModelCall): Format {
    if (raw !== undefined) return chatFormat;
    const onlyResponses = this.#onlyResponses.get(model) ?? this.#preset.responses?.test(model);
    return onlyResponses === true ? responsesFormat : chatFormat;
  }

  #callHeaders({ initiator = "user", messages }: ModelCall): Readonly<Record<string, string>> {
    const { callHeaders: names } = this.#preset;
    if (names === undefined) return {};
    return { [names.initiator]: initiator, ...(messages.some(hasImage) && { [names.images]: "true" }) };
  }

  async #list(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const { listing, unlisted, details, thinkingModels } = this.#preset;
    if (typeof listing !== "string") return listing;
    const answer = await this.#api.json(listing, { signal });
    const listed = readListing(answer)?.filter(({ id }) => unlisted?.test(id) !== true);
    const models = listed?.map((info) =>
      defined({ supportsThinking: thinkingModels?.test(info.id) || undefined, ...info }),
    );
    if (models === undefined) throw this.#api.failures.unreadable("gave a listing that is none");
    this.#onlyResponses = readEndpoints(answer);
    if (details === undefined) return models;
    return details(models, (path, body) => this.#askRuntime(path, body, signal));
  }

  /** Asks the runtime below its own root: the base URL without its `/v1`. */
  #askRuntime(path: string, body: object | undefined, signal: AbortSignal): Promise<unknown> {
    const url = new URL(this.#api.url(""));
    url.pathname = url.pathname.replace(/\/v1\/?$/, "") + path;
    const post = body && { method: "POST", body: JSON.stringify(body) };
    return this.#api.json(url.href, { ...post, signal });
  }
}
