import { defined, type ModelCallSummary, type ModelDetails } from "@pergola/sdk";
import type { EmbeddingSummary } from "@pergola/sdk/host";
import { attribute, metric, modelName, providerName } from "./gen-ai.ts";
import { Instrument, type Labels } from "./instrument.ts";

/** Seconds, and tokens, as the conventions say. */
const seconds = Array.from({ length: 14 }, (_, at) => 2 ** at / 100);
const tokens = Array.from({ length: 14 }, (_, at) => 4 ** at);

const overflow = (): Labels => ({ "otel.metric.overflow": "true" });
const histogram = (name: string, description: string, unit: string, bounds: readonly number[]): Instrument =>
  new Instrument({ name, description, unit, bounds, overflow });

const labelsOf = (operation: string, model: Pick<ModelDetails, "modelId" | "providerType">) => ({
  [attribute.operation]: operation,
  [attribute.provider]: providerName(model.providerType),
  [attribute.model]: modelName(model.modelId),
});

/** What OpenTelemetry is told in numbers. */
export class Measures {
  readonly #duration = histogram(metric.duration, "GenAI operation duration.", "s", seconds);
  readonly #first = histogram(metric.firstChunk, "Time to receive the first chunk.", "s", seconds);
  readonly #tokens = histogram(metric.tokens, "Number of input and output tokens used.", "{token}", tokens);

  get instruments(): readonly Instrument[] {
    return [this.#duration, this.#first, this.#tokens];
  }

  modelCall(call: ModelCallSummary): void {
    const { model, responseModel, duration, firstChunk, usage, error, errorCode } = call;
    const of = { ...labelsOf("chat", model), ...defined({ [attribute.responseModel]: responseModel }) };
    const failed = { ...of, [attribute.error]: errorCode ?? "error" };
    this.#duration.record(duration / 1000, error === null ? of : failed);
    if (firstChunk !== undefined) this.#first.record(firstChunk / 1000, of);
    this.#tokens.record(usage.promptTokens, { ...of, [attribute.tokenType]: "input" });
    this.#tokens.record(usage.completionTokens, { ...of, [attribute.tokenType]: "output" });
  }

  embedding({ model, duration, inputTokens, errorCode }: EmbeddingSummary): void {
    const of = labelsOf("embeddings", model);
    const failed = errorCode !== undefined && { [attribute.error]: errorCode };
    this.#duration.record(duration / 1000, { ...of, ...failed });
    this.#tokens.record(inputTokens, { ...of, [attribute.tokenType]: "input" });
  }
}
