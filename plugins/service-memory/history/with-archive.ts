import type { HistoryChunk, MemoryService } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

/**
 * What was found in the talk, and in the summaries of what conversations have outgrown: these also know what
 * was said and done on the way to an answer. They fill the places that are left; one that has all words of
 * the question is never left out.
 */
export async function withArchive(
  { archive }: Pick<Parts, "archive">,
  query: Parameters<MemoryService["recall"]>[0],
  found: Promise<readonly HistoryChunk[]>,
): Promise<readonly HistoryChunk[]> {
  const { limit = 3 } = query;
  const [chunks, archived] = await Promise.all([
    found,
    query.query.trim() === "" ? [] : (archive?.recall(query) ?? []),
  ]);
  const whole = archived.filter(({ score }) => score === 1).slice(0, 1);
  const kept = chunks.slice(0, Math.max(1, limit - whole.length));
  return [...kept, ...archived].slice(0, limit);
}
