import {
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
  type ProviderSettings,
} from "@pergola/sdk";
import { addressOf, headersOf } from "./address.ts";
import { buildRequest } from "./build-request.ts";
import { MessageReader } from "./message-reader.ts";
import { traitsByName, type ModelTraits } from "./model-traits.ts";
import { readFailure } from "./read-failure.ts";
import { readListing, type Listed } from "./read-listing.ts";

/** Models of one page of a listing, and the pages that are read at most. */
const pageSize = 1000;
const pages = 20;

/** A vendor or a gateway that speaks the Messages format. */
export class Anthropic implements Provider {
  readonly #settings: ProviderSettings;
  readonly #clock: Clock;
  readonly #failures: ProviderFailures;
  readonly #client: ProviderClient;
  readonly #address: (path: string) => string;
  readonly #headers: Readonly<Record<string, string>>;
  /** Of the models that were listed. */
  readonly #traits = new Map<string, ModelTraits>();

  constructor(settings: ProviderSettings, { fetch, clock }: ProviderDoor) {
    this.#settings = settings;
    this.#clock = clock;
    this.#failures = new ProviderFailures(settings, {
      clock,
      read: readFailure,
      keyVariable: "ANTHROPIC_API_KEY",
      passing: [529],
    });
    this.#client = new ProviderClient(fetch, this.#failures);
    this.#address = addressOf(settings);
    this.#headers = headersOf(settings);
  }

  /**
   * The vendor's models. Settings that name models choose among them, and stand in when the listing fails.
   */
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

  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const traits = this.#traits.get(call.model) ?? traitsByName(call.model);
    const { body, names, warnings } = buildRequest(call, traits, this.#settings.extra);
    return streamAnswer(
      {
        ask: async (connection) =>
          this.#client.send(
            this.#address("/messages"),
            this.#authorised({ method: "POST", body, signal: connection }),
          ),
        reader: (events) => new MessageReader(events, names),
        failures: this.#failures,
        clock: this.#clock,
        timeoutSeconds: this.#settings.timeoutSeconds,
        warnings,
      },
      signal,
    );
  }

  async #list(signal: AbortSignal): Promise<readonly Listed[]> {
    const models = new Map<string, Listed>();
    let after: string | undefined;
    for (let page = 0; page < pages; page++) {
      const from = after === undefined ? "" : `&after_id=${encodeURIComponent(after)}`;
      const listing = readListing(
        await this.#client.json(
          this.#address(`/models?limit=${pageSize}${from}`),
          this.#authorised({ signal }),
        ),
      );
      if (listing === undefined) throw this.#failures.unreadable("gave a listing that is none");
      for (const listed of listing.models) models.set(listed.info.id, listed);
      if (listing.after === undefined || listing.after === after) break;
      after = listing.after;
    }
    for (const [id, { traits }] of models) this.#traits.set(id, traits);
    return [...models.values()];
  }

  #authorised(request: ProviderRequest): ProviderRequest {
    if (this.#headers["x-api-key"] === undefined && this.#headers["authorization"] === undefined)
      throw this.#failures.keyMissing();
    return { ...request, headers: this.#headers };
  }
}
