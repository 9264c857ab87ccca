import {
  type ModelCall,
  type ModelEvent,
  type ModelInfo,
  type Provider,
  type ProviderDoor,
  type ProviderSettings,
} from "@pergola/sdk";
import { collectPages, listNamed, ProviderApi, readResponseFormat, type Page } from "@pergola/kit-provider";
import { buildRequest } from "./build-request.ts";
import { MessageReader } from "./message-reader.ts";
import { traitsByName, type ModelTraits } from "./model-traits.ts";
import { readFailure } from "./read-failure.ts";
import { readListing, type ListedModel } from "./read-listing.ts";

/** Models on one page of the listing. */
const pageSize = 1000;

/** A vendor or a gateway that speaks the Messages format. */
export class Anthropic implements Provider {
  readonly #settings: ProviderSettings;
  readonly #api: ProviderApi;
  /** Of the listed models. */
  readonly #traits = new Map<string, ModelTraits>();

  constructor(settings: ProviderSettings, door: ProviderDoor) {
    this.#settings = settings;
    this.#api = new ProviderApi(settings, door, {
      read: readFailure,
      keyVariable: "ANTHROPIC_API_KEY",
      keyHeader: "x-api-key",
      needsKey: true,
      headers: { "anthropic-version": "2023-06-01" },
      root: "/v1",
      exampleUrl: "https://api.anthropic.com/v1",
      retryableStatuses: [529],
    });
  }

  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return listNamed(this.#settings.models, () => this.#list(signal));
  }

  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const { body, names, warnings } = buildRequest(call, this.#traitsOf(call.model), this.#settings.extra);
    return this.#api.stream(
      {
        path: "/messages",
        body,
        trace: call.trace,
        reader: (events) => new MessageReader(events, names),
        warnings,
      },
      signal,
    );
  }

  takesFormat({ model, sampling }: ModelCall): boolean {
    const { type } = readResponseFormat(sampling.responseFormat);
    return type === "json_schema" && this.#traitsOf(model).schemas;
  }

  #traitsOf(model: string): ModelTraits {
    return this.#traits.get(model) ?? traitsByName(model);
  }

  async #list(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const models = await collectPages((after) => this.#loadPage(after, signal));
    for (const { id, traits } of models) this.#traits.set(id, traits);
    return models.map(({ info }) => info);
  }

  #loadPage(after: string, signal: AbortSignal): Promise<Page<ListedModel>> {
    const query = { limit: String(pageSize), ...(after !== "" && { after_id: after }) };
    return this.#api.listing("/models", { query, signal }, readListing);
  }
}
