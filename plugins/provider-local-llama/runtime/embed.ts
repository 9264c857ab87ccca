import type { LlamaEmbeddingContext } from "node-llama-cpp";
import { AppError } from "@pergola/sdk";
import { unitVector } from "@pergola/kit-provider";
import type { LoadedModel } from "./load-model.ts";

const contexts = new WeakMap<LoadedModel, Promise<LlamaEmbeddingContext>>();

/** Vectors of unit length. */
export async function embed(
  loaded: LoadedModel,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const { model, contextSize } = loaded;
  const opened = contexts.get(loaded) ?? model.createEmbeddingContext({ contextSize });
  contexts.set(loaded, opened);
  const context = await opened;
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    signal.throwIfAborted();
    const length = context.calculateInputLength(text);
    if (length > contextSize) throw tooLong(length, contextSize);
    const { vector } = await context.getEmbeddingFor(text);
    vectors.push(unitVector(vector) ?? Float32Array.from(vector));
  }
  return vectors;
}

const tooLong = (length: number, contextSize: number): AppError =>
  new AppError({
    code: "context_length_exceeded",
    message: `A text has ${length} tokens, but the model's context holds ${contextSize}.`,
    details: { promptTokens: length, contextSize },
  });
