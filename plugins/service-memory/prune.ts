import type { MemoryKind } from "@pergola/sdk";
import type { MemoryPruning } from "@pergola/sdk/host";
import { itemsIn } from "./items.ts";
import type { Records, StoredItem } from "./records.ts";

const day = 86_400_000;

/**
 * What is to go of a scope: what is too old or too doubtful, and of each kind what is left over behind the
 * most certain and newest.
 */
export async function superfluous(
  records: Records,
  scope: string,
  { maxAgeDays, minConfidence, most }: MemoryPruning,
  now: number,
): Promise<{ readonly gone: readonly StoredItem[]; readonly remaining: number }> {
  const gone: StoredItem[][] = [];
  let remaining = 0;
  const isStale = ({ updatedAt, confidence }: StoredItem): boolean =>
    now - Date.parse(updatedAt) > maxAgeDays * day || confidence < minConfidence;
  for (const [kind, limit] of Object.entries(most) as readonly (readonly [MemoryKind, number])[]) {
    const all: StoredItem[] = [];
    for await (const item of itemsIn(records, { scope, kinds: [kind] })) all.push(item);
    const lasting = all
      .filter((item) => !isStale(item))
      .toSorted((a, b) => b.confidence - a.confidence || b.place - a.place);
    gone.push(all.filter(isStale), lasting.slice(limit));
    remaining += Math.min(lasting.length, limit);
  }
  return { gone: gone.flat(), remaining };
}
