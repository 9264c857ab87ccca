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
import { buildTalk } from "./build-talk.ts";
import { ParleyReader } from "./parley-reader.ts";
import { readTrouble } from "./read-trouble.ts";

/** `GET {base}/voices` lists the models, `POST {base}/talk` answers with server-sent events. */
export class Parley implements Provider {
  readonly #settings: ProviderSettings;
  readonly #clock: Clock;
  readonly #failures: ProviderFailures;
  readonly #client: ProviderClient;

  constructor(settings: ProviderSettings, { fetch, clock }: ProviderDoor) {
    this.#settings = settings;
    this.#clock = clock;
    this.#failures = new ProviderFailures(settings, {
      clock,
      read: readTrouble,
      keyVariable: "PARLEY_API_KEY",
    });
    this.#client = new ProviderClient(fetch, this.#failures);
  }

  async listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const { voices } = (await this.#client.json(this.#at("/voices"), this.#signed({ signal }))) as {
      readonly voices?: unknown;
    };
    if (!Array.isArray(voices)) throw this.#failures.unreadable("gave a listing that is none");
    return voices.filter((voice) => typeof voice === "string").map((id) => ({ id, supportsTools: false }));
  }

  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const { body, warnings } = buildTalk(call);
    return streamAnswer(
      {
        ask: async (connection) =>
          this.#client.send(this.#at("/talk"), this.#signed({ method: "POST", body, signal: connection })),
        reader: (events) => new ParleyReader(events),
        failures: this.#failures,
        clock: this.#clock,
        timeoutSeconds: this.#settings.timeoutSeconds,
        warnings,
      },
      signal,
    );
  }

  #at(path: string): string {
    return `${this.#settings.baseUrl ?? ""}${path}`;
  }

  #signed(request: ProviderRequest): ProviderRequest {
    const { apiKey, headers } = this.#settings;
    if (apiKey === undefined) throw this.#failures.keyMissing();
    return {
      ...request,
      headers: { "content-type": "application/json", "x-parley-key": apiKey, ...headers },
    };
  }
}
