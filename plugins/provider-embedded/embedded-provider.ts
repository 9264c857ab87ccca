import { readChatBody } from "@pergola/kit-provider";
import {
  AppError,
  type Clock,
  type ModelCall,
  type ModelEvent,
  type ModelInfo,
  type Provider,
  type ProviderDoor,
} from "@pergola/sdk";
import { Hashing } from "./embedder/hashing.ts";
import { builtVectors } from "./embedder/known-vectors.ts";
import { MiniLm } from "./embedder/minilm.ts";
import { VectorCache } from "./embedder/vector-cache.ts";
import { reply } from "./dialogue/guide.ts";
import { eventsOf } from "./dialogue/reply.ts";
import { guideModel, hashingModel, minilmModel } from "./models.ts";

const unknownModel = (model: string): AppError =>
  new AppError({
    code: "model_not_found",
    message: `The embedded provider has no model ${model} for this.`,
    param: "model",
  });

/** The call, or its bypassed body as one, and what the guide cannot read of that. */
function readCall(call: ModelCall): { readonly call: ModelCall; readonly warnings: readonly string[] } {
  const { model, raw } = call;
  if (raw === undefined) return { call, warnings: [] };
  const warnings = new Set<string>();
  const body = readChatBody(raw, { vendor: "the guide", warn: (text) => void warnings.add(text) });
  return { call: { model, ...body }, warnings: [...warnings] };
}

/** The guide and the embedding models: no key, no network, and nothing is loaded before it is needed. */
export class EmbeddedProvider implements Provider {
  readonly #minilm: MiniLm;
  readonly #hashing = new Hashing();
  readonly #vectors: VectorCache;

  readonly #clock: Clock;

  constructor({ log, clock }: Pick<ProviderDoor, "log" | "clock">) {
    this.#clock = clock;
    this.#minilm = new MiniLm({ log });
    this.#vectors = new VectorCache(this.#minilm, undefined, builtVectors);
  }

  async listModels(): Promise<readonly ModelInfo[]> {
    return [guideModel, this.#minilm.fault === undefined ? minilmModel : hashingModel];
  }

  absence(model: string): string | undefined {
    return model === minilmModel.id ? this.#minilm.absence : undefined;
  }

  async *stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent> {
    if (call.model !== guideModel.id) throw unknownModel(call.model);
    signal.throwIfAborted();
    const { call: read, warnings } = readCall(call);
    for (const text of warnings) yield { type: "warning", text };
    const answer = await reply(read, this.#vectors, this.#clock, signal);
    for (const event of eventsOf(answer, read)) {
      signal.throwIfAborted();
      yield event;
    }
  }

  /**
   * `minilm` rejects with `provider_error` when its weights cannot be used; `details.standIn` names the model
   * that can.
   */
  async embed(
    model: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const embedder = { [minilmModel.id]: this.#minilm, [hashingModel.id]: this.#hashing }[model];
    if (embedder === undefined) throw unknownModel(model);
    return embedder.embed(texts, signal);
  }

  async close(): Promise<void> {
    await this.#minilm.close();
  }
}
