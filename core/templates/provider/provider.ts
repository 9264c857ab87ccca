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
import { AnswerReader, readError } from "./answer-reader.ts";
import { bodyOf } from "./body-of.ts";

/** `GET {base}/models` lists the models, `POST {base}/chat/completions` answers with server-sent events. */
export class HttpProvider implements Provider {
  readonly #settings: ProviderSettings;
  readonly #clock: Clock;
  readonly #failures: ProviderFailures;
  readonly #client: ProviderClient;

  constructor(settings: ProviderSettings, { fetch, clock }: ProviderDoor) {
    this.#settings = settings;
    this.#clock = clock;
    this.#failures = new ProviderFailures(settings, {
      clock,
      read: readError,
      keyVariable: "SAMPLE_NAME_API_KEY",
    });
    this.#client = new ProviderClient(fetch, this.#failures);
  }

  async listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const { data } = (await this.#client.json(this.#at("/models"), this.#signed({ signal }))) as {
      readonly data?: readonly { readonly id: string }[];
    };
    if (!Array.isArray(data)) throw this.#failures.unreadable("gave a listing that is none");
    return data.map(({ id }: { readonly id: string }) => ({ id, supportsTools: false }));
  }

  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const body = bodyOf(call);
    return streamAnswer(
      {
        ask: async (connection) =>
          this.#client.send(
            this.#at("/chat/completions"),
            this.#signed({ method: "POST", body, signal: connection }),
          ),
        reader: (events) => new AnswerReader(events),
        failures: this.#failures,
        clock: this.#clock,
        timeoutSeconds: this.#settings.timeoutSeconds,
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
    const own = { "content-type": "application/json", authorization: `Bearer ${apiKey}` };
    return { ...request, headers: { ...own, ...headers } };
  }
}
