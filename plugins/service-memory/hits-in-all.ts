import type { MemoryHit } from "@pergola/sdk";
import { batchesOf } from "./batches.ts";
import type { Records } from "./records.ts";

/** Scopes that are searched at a time: each is several parts of the indexes. */
const scopesAtOnce = 400;

/** Every scope that has items. Each is one step in the index, however many items it has. */
async function scopesOf({ items }: Pick<Records, "items">): Promise<readonly string[]> {
  const scopes: string[] = [];
  for (let from = ""; ;) {
    const [next] = await items.find({ scope: { gte: from } }, { order: "scope", limit: 1 });
    if (next === undefined) return scopes;
    scopes.push(next.scope);
    from = `${next.scope}\u0001`;
  }
}

/**
 * The best hits of all scopes. What lies in one group of scopes keeps its order; groups are merged by
 * similarity.
 */
export async function hitsInAll(
  records: Pick<Records, "items">,
  { limit = 10 }: { readonly limit?: number },
  hitsIn: (scopes: readonly string[]) => Promise<readonly MemoryHit[]>,
): Promise<readonly MemoryHit[]> {
  const scopes = await scopesOf(records);
  if (scopes.length === 0) return [];
  if (scopes.length <= scopesAtOnce) return hitsIn(scopes);
  const hits: (readonly MemoryHit[])[] = [];
  for (const batch of batchesOf(scopes, scopesAtOnce)) hits.push(await hitsIn(batch));
  return hits
    .flat()
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, limit);
}
