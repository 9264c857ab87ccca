/** A source of sentence vectors. */
export interface Embedder {
  /**
   * Vectors of unit length, one for each text. Rejects with AppError `provider_error`, or with the signal's
   * reason.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** Length of the vectors of every embedder here. */
export const dimensions = 384;

/** The cosine of two vectors of unit length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

/** The same direction at length 1; a vector of zeros becomes the first axis. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (length === 0) return Float32Array.from(vector, (_, index) => Number(index === 0));
  return vector.map((value) => value / length);
}
