import type { Database } from "better-sqlite3";
import { getLoadablePath } from "sqlite-vec";
import { floatsOf } from "./vector-bytes.ts";

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
