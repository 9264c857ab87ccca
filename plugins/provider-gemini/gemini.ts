import type {
  JsonObject,
  ModelCall,
  ModelEvent,
  ModelInfo,
  Provider,
  ProviderDoor,
  ProviderSettings,
} from "@pergola/sdk";
import { collectPages, fieldsOf, objectsOf, ProviderApi, type Page } from "@pergola/kit-provider";
import { refusesFormat } from "./build-generation.ts";
import { buildRequest } from "./build-request.ts";
import { ChunkReader } from "./chunk-reader.ts";
import { modelTraits } from "./model-traits.ts";
import { readFailure } from "./read-failure.ts";
import { readListing } from "./read-listing.ts";
import { ThoughtSignatures } from "./thought-signatures.ts";

/** Google's own libraries read both. */
export const keyVariable = ["GEMINI_API_KEY", "GOOGLE_API_KEY"] as const;

/** Texts of one request for vectors; Gemini refuses more. */
const batchSize = 100;

/** Models on one page of the listing. */
const pageSize = "1000";

/** `models/gemini-2.5-pro`; a name that says what it is, as `tunedModels/mine`, stays as it is. */
const resourceOf = (model: string): string => (model.includes("/") ? model : `models/${model}`);
const pathOf = (model: string): string =>
  `/${resourceOf(model).split("/").map(encodeURIComponent).join("/")}`;

/** Google's Gemini API (https://ai.google.dev/api). */
export class Gemini implements Provider {
  readonly #api: ProviderApi;
  readonly #signatures = new ThoughtSignatures();
  readonly #extra: JsonObject;

  constructor(settings: ProviderSettings, door: ProviderDoor) {
    this.#extra = settings.extra;
    this.#api = new ProviderApi(settings, door, {
      read: readFailure,
      keyVariable,
      keyHeader: "x-goog-api-key",
      needsKey: true,
      exampleUrl: "https://generativelanguage.googleapis.com/v1beta",
    });
  }

  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return collectPages((pageToken) => this.#loadPage(pageToken, signal));
  }

  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const { body, warnings } = buildRequest(call, this.#signatures, this.#extra);
    const request = {
      path: `${pathOf(call.model)}:streamGenerateContent`,
      query: { alt: "sse" },
      trace: call.trace,
      body,
      warnings,
    };
    return this.#api.stream(
      { ...request, reader: (events) => new ChunkReader(events, this.#signatures) },
      signal,
    );
  }

  takesFormat(call: ModelCall): boolean {
    return !refusesFormat(call, modelTraits(call.model));
  }

  embed(
    model: string,
    texts: readonly string[],
    signal: AbortSignal,
    trace?: string,
  ): Promise<readonly Float32Array[]> {
    return this.#api.embed(texts, batchSize, async (batch) => {
      const requests = batch.map((text) => ({ model: resourceOf(model), content: { parts: [{ text }] } }));
      const body = JSON.stringify({ requests });
      const path = `${pathOf(model)}:batchEmbedContents`;
      const answer = await this.#api.json(path, { method: "POST", body, signal, trace });
      return objectsOf(fieldsOf(answer)["embeddings"]).map(({ values }) => values);
    });
  }

  #loadPage(pageToken: string, signal: AbortSignal): Promise<Page<ModelInfo>> {
    const query = { pageSize, ...(pageToken !== "" && { pageToken }) };
    return this.#api.listing("/models", { query, signal }, readListing);
  }
}
