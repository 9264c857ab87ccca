import type { LlamaEmbeddingContext } from "node-llama-cpp";
import { AppError } from "@pergola/sdk";
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
    if (length > contextSize) {
      const message = `A text has ${length} tokens, but the model's context holds ${contextSize}.`;
      throw new AppError({
        code: "context_length_exceeded",
        message,
        details: { promptTokens: length, contextSize },
      });
    }
    vectors.push(unit((await context.getEmbeddingFor(text)).vector));
  }
  return vectors;
}

function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (value) => value / length);
}
