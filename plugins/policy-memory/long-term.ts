import type { MemoryItem, MemoryKind, MemoryService } from "@pergola/sdk";

const kinds = ["discovery", "solution", "pattern"] as const satisfies readonly MemoryKind[];

/**
 * How many of each kind are shown, and among how many of the newest those are chosen that the question says
 * nothing of.
 */
const [most, newest] = [3, 20];

/**
 * Three of each kind: those that fit the question, then the most certain ones, of these the newest. Where
 * there are no more, all of them.
 */
export async function longTerm(
  memory: Pick<MemoryService, "newest" | "search">,
  scope: string,
  query: string,
  threshold: number,
): Promise<readonly MemoryItem[]> {
  const newestOf = (kind: MemoryKind) => memory.newest({ scope, kinds: [kind] }, newest);
  const known = await Promise.all(kinds.map(newestOf));
  const crowded = kinds.filter((_, at) => known[at]!.length > most);
  const search = {
    query,
    scopes: [scope],
    kinds: crowded,
    limit: 10 * most,
    threshold,
  };
  const hits = crowded.length === 0 ? [] : await memory.search(search);
  return kinds.flatMap((kind, at) => {
    const fitting = hits.map(({ item }) => item).filter((item) => item.kind === kind);
    const certain = known[at]!.toSorted((a, b) => b.confidence - a.confidence);
    const byId = new Map([...fitting, ...certain].map((item) => [item.id, item]));
    return [...byId.values()].slice(0, most);
  });
}
