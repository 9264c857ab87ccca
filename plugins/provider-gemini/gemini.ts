import {
  ProviderFailures,
  streamAnswer,
  type Clock,
  type JsonObject,
  type ModelCall,
  type ModelEvent,
  type ModelInfo,
  type Provider,
  type ProviderDoor,
  type ProviderSettings,
} from "@pergola/sdk";
import { buildRequest } from "./build-request.ts";
import { ChunkReader } from "./chunk-reader.ts";
import { keyVariable } from "./key-variable.ts";
import { readFailure } from "./read-failure.ts";
import { readListing } from "./read-listing.ts";
import { readVectors } from "./read-vectors.ts";
import { ThoughtSignatures } from "./thought-signatures.ts";
import { Transport } from "./transport.ts";

/** Texts of one request for vectors; Gemini refuses more. */
const batch = 100;
const pageSize = "1000";
const mostPages = 20;

/** `models/gemini-2.5-pro`; a name that says what it is, as `tunedModels/mine`, stands as it is. */
const resourceOf = (model: string): string => (model.includes("/") ? model : `models/${model}`);
const pathOf = (model: string): string =>
  `/${resourceOf(model).split("/").map(encodeURIComponent).join("/")}`;

/** Google's Gemini API (https://ai.google.dev/api). */
export class Gemini implements Provider {
  readonly #clock: Clock;
  readonly #failures: ProviderFailures;
  readonly #transport: Transport;
  readonly #signatures = new ThoughtSignatures();
  readonly #timeoutSeconds: number;
  readonly #extra: JsonObject;

  constructor(settings: ProviderSettings, { fetch, clock }: ProviderDoor) {
    this.#clock = clock;
    this.#failures = new ProviderFailures(settings, { clock, read: readFailure, keyVariable });
    this.#transport = new Transport(settings, fetch, this.#failures);
    this.#timeoutSeconds = settings.timeoutSeconds;
    this.#extra = settings.extra;
  }

  /** Every page of the listing; models that neither chat nor embed are left out. */
  async listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const models = new Map<string, ModelInfo>();
    let pageToken = "";
    for (let page = 0; page < mostPages; page++) {
      const query = { pageSize, ...(pageToken === "" ? {} : { pageToken }) };
      const read = readListing(await this.#transport.json("/models", { query, signal }));
      if (read === undefined) throw this.#failures.unreadable("gave a listing that is none");
      for (const info of read.models) models.set(info.id, info);
      if (read.nextPageToken === "" || read.nextPageToken === pageToken) break;
      pageToken = read.nextPageToken;
    }
    return [...models.values()];
  }

  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const { body, warnings } = buildRequest(call, this.#signatures, this.#extra);
    const request = { method: "POST", query: { alt: "sse" }, body } as const;
    return streamAnswer(
      {
        ask: (connection) =>
          this.#transport.send(`${pathOf(call.model)}:streamGenerateContent`, {
            ...request,
            signal: connection,
          }),
        reader: (events) => new ChunkReader(events, this.#signatures),
        failures: this.#failures,
        clock: this.#clock,
        timeoutSeconds: this.#timeoutSeconds,
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
      const requests = texts
        .slice(first, first + batch)
        .map((text) => ({ model: resourceOf(model), content: { parts: [{ text }] } }));
      const request = { method: "POST", body: JSON.stringify({ requests }), signal } as const;
      const read = readVectors(
        await this.#transport.json(`${pathOf(model)}:batchEmbedContents`, request),
        requests.length,
      );
      if (read === undefined) throw this.#failures.unreadable("did not give a vector for every text");
      vectors.push(...read);
    }
    return vectors;
  }
}
