import { fieldsOf, listOf, positiveInteger, valueAt } from "@pergola/kit-provider";

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

/**
 * The tokens that such an answer counts. Undefined without a count, and for 0: runtimes that do not count
 * say so (LM Studio).
 */
export function readTokens(answer: unknown): number | undefined {
  const places = ["usage.prompt_tokens", "usage.total_tokens"];
  return places.map((path) => positiveInteger(valueAt(answer, path))).find((count) => count !== undefined);
}
