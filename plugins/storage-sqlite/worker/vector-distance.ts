import type { Database } from "better-sqlite3";
import { getLoadablePath } from "sqlite-vec";

/** The floats of a blob; copied when they do not begin where floats may begin in memory. */
export function floatsOf(blob: Buffer): Float32Array {
  const { buffer, byteOffset, byteLength } = blob.byteOffset % 4 === 0 ? blob : Uint8Array.from(blob);
  return new Float32Array(buffer as ArrayBuffer, byteOffset, byteLength / 4);
}

/** The Euclidean distance of two vectors, each a blob of 32-bit floats. */
export function euclidean(a: Buffer, b: Buffer): number {
  const first = floatsOf(a);
  const second = floatsOf(b);
  let sum = 0;
  for (let index = 0; index < first.length; index++) sum += ((first[index] ?? 0) - (second[index] ?? 0)) ** 2;
  return Math.sqrt(sum);
}

/**
 * Gives SQL the function `vec_distance_L2`: that of sqlite-vec, or where its library cannot be loaded the
 * same in JavaScript, some four times slower. Says which, by the error of the first.
 */
export function addVectorDistance(database: Database): Error | undefined {
  try {
    database.loadExtension(getLoadablePath());
    return undefined;
  } catch (error) {
    database.function("vec_distance_L2", { deterministic: true }, (a, b) =>
      euclidean(a as Buffer, b as Buffer),
    );
    return error as Error;
  }
}
