import { fieldsOf, listOf } from "@pergola/kit-provider";

/**
 * The vectors of an answer of `POST /embeddings`, as they came, in the order of the texts; none when it does
 * not hold so many.
 */
export function readVectors(answer: unknown, count: number): readonly unknown[] {
  const entries = listOf(fieldsOf(answer)["data"]).map(fieldsOf);
  if (entries.length !== count) return [];
  const byIndex = new Map(entries.map(({ index, embedding }, position) => [index ?? position, embedding]));
  return entries.map((_, index) => byIndex.get(index));
}
