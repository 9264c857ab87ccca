import { euclidean, floatsOf } from "@pergola/kit-storage";
import type { Database } from "better-sqlite3";
import { getLoadablePath } from "sqlite-vec";

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
      euclidean(floatsOf(a as Buffer), floatsOf(b as Buffer)),
    );
    return error as Error;
  }
}
