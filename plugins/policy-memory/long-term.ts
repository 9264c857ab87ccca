import type { MemoryKind, MemoryService } from "@pergola/sdk";
import type { Question } from "./question.ts";
import type { Fitting } from "./recollect.ts";

const kinds = ["discovery", "solution", "pattern"] as const satisfies readonly MemoryKind[];

/** How many of each kind the model sees. */
const most = 3;

/** Among how many of the newest those are chosen that the question says nothing of. */
const newest = 20;

/**
 * Three of each kind: those that fit the question, then the most certain ones, of these the newest. Where
 * there are no more, all of them.
 */
export async function longTerm(
  memory: Pick<MemoryService, "newest" | "search">,
  scope: string,
  question: Question,
  threshold: number,
): Promise<readonly Fitting[]> {
  const newestOf = (kind: MemoryKind) => memory.newest({ scope, kinds: [kind] }, newest);
  const known = await Promise.all(kinds.map(newestOf));
  const crowded = kinds.filter((_, at) => known[at]!.length > most);
  let hits: readonly Fitting[] = [];
  if (crowded.length > 0)
    hits = await memory.search({
      query: question.text,
      scopes: [scope],
      kinds: crowded,
      limit: 10 * most,
      threshold,
      wordsOnly: await question.wordsOnly(),
      trace: question.trace,
    });
  return kinds.flatMap((kind, at) => {
    const fitting = hits.filter(({ item }) => item.kind === kind);
    const certain = known[at]!.toSorted((a, b) => b.confidence - a.confidence);
    const others = certain.filter(({ id }) => fitting.every(({ item }) => item.id !== id));
    return [...fitting, ...others.map((item) => ({ item, similarity: null }))].slice(0, most);
  });
}
