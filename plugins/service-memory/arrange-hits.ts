import type { MemoryHit } from "@pergola/sdk";
import { contentDigest } from "./make-item.ts";
import { topicTerms } from "./terms.ts";

/** From this share of common words on two items speak of the same thing (Dice, 1945). */
const alikeFrom = 0.5;

const newestFirst = (a: MemoryHit, b: MemoryHit): number => Date.parse(b.item.updatedAt) - Date.parse(a.item.updatedAt);

const termsOf = ({ item }: MemoryHit): ReadonlySet<string> => new Set(topicTerms(item.content));

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((term) => b.has(term)).length;
  return common === 0 ? 0 : (2 * common) / (a.size + b.size);
}

/** Each content once: its newest item, where the best of them stood. */
function folded(hits: readonly MemoryHit[]): readonly MemoryHit[] {
  const byContent = new Map<string, MemoryHit>();
  for (const hit of hits) {
    const key = `${hit.item.key ?? ""}\n${contentDigest(hit.item.kind, hit.item.content)}`;
    const known = byContent.get(key);
    byContent.set(key, known === undefined ? hit : [known, hit].toSorted(newestFirst)[0]!);
  }
  return [...byContent.values()];
}

/**
 * Hits in the order in which they are shown: the same content once, and what speaks of the same thing side by side, the newest first. So what
 * contradicts something older comes before it, and the older one stays: both have their dates.
 */
export function arrangeHits(hits: readonly MemoryHit[]): readonly MemoryHit[] {
  const groups: { readonly terms: ReadonlySet<string>; readonly hits: MemoryHit[] }[] = [];
  for (const hit of folded(hits)) {
    const terms = termsOf(hit);
    const group = groups.find((other) => other.hits[0]!.item.kind === hit.item.kind && likeness(other.terms, terms) >= alikeFrom);
    if (group === undefined) groups.push({ terms, hits: [hit] });
    else group.hits.push(hit);
  }
  return groups.flatMap((group) => group.hits.toSorted(newestFirst));
}
