import type { HistoryChunk } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { RecallQuery } from "./recall-query.ts";

/**
 * What was found in the talk, and in the summaries of what conversations have outgrown: these also know what
 * was said and done on the way to an answer. They fill the places that are left; one that has all words of
 * the question is never left out.
 */
export async function withArchive(
  { archive }: Pick<Parts, "archive">,
  query: RecallQuery,
  found: Promise<readonly HistoryChunk[]>,
): Promise<readonly HistoryChunk[]> {
  const { limit = 3 } = query;
  if (query.query.trim() === "") return found;
  const [chunks, archived] = await Promise.all([found, archive?.recall(query) ?? []]);
  const hasWhole = archived.some(({ score }) => score === 1);
  const places = Math.max(1, limit - Number(hasWhole));
  return [...chunks.slice(0, places), ...archived].slice(0, limit);
}
