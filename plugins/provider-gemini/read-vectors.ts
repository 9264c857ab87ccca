import { isObject, listOf } from "./values.ts";

/** The same direction, of length 1; undefined when it has none, or is no list of numbers. */
function unit(value: unknown): Float32Array | undefined {
  const numbers = Float64Array.from(listOf(value) as readonly number[]);
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  return Number.isFinite(length) && length > 0
    ? Float32Array.from(numbers, (number) => number / length)
    : undefined;
}

/**
 * The vectors of an answer of `:batchEmbedContents`, of unit length; undefined when there are not so many.
 */
export function readVectors(answer: unknown, count: number): readonly Float32Array[] | undefined {
  const vectors = listOf(isObject(answer) ? answer["embeddings"] : undefined)
    .map((embedding) => (isObject(embedding) ? unit(embedding["values"]) : undefined))
    .filter((vector) => vector !== undefined);
  return vectors.length === count ? vectors : undefined;
}
