import type { MemoryHit } from "@pergola/sdk";
import { contentDigest } from "./make-item.ts";
import { topicTerms } from "./terms.ts";

/** From this share of common words on two items speak of the same thing (Dice, 1945). */
const alikeFrom = 0.5;

/**
 * From this difference of scores on one answers the question better than the other, whatever else they share.
 */
const asGood = 0.3;

/** A hit with what it counts. */
export interface RatedHit extends MemoryHit {
  readonly score: number;
}

const newestFirst = (a: RatedHit, b: RatedHit): number =>
  Date.parse(b.item.updatedAt) - Date.parse(a.item.updatedAt);

const termsOf = ({ item }: RatedHit): ReadonlySet<string> => new Set(topicTerms(item.content));

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((term) => b.has(term)).length;
  if (common === 0) return 0;
  return (2 * common) / (a.size + b.size);
}

/** Each content once: its newest item, where the best of them stood. */
function folded(hits: readonly RatedHit[]): readonly RatedHit[] {
  const byContent = new Map<string, RatedHit>();
  for (const hit of hits) {
    const key = `${hit.item.key ?? ""}\n${contentDigest(hit.item.kind, hit.item.content)}`;
    const known = byContent.get(key) ?? hit;
    const [newest] = [known, hit].toSorted(newestFirst);
    byContent.set(key, newest!);
  }
  return [...byContent.values()];
}

/**
 * Hits in the order in which they are shown: the same content once, and what speaks of the same thing and
 * answers about as well side by side, the newest first. So what contradicts something older comes before it,
 * and the older one stays: both have their dates.
 */
export function arrangeHits(hits: readonly RatedHit[]): readonly MemoryHit[] {
  const groups: { readonly terms: ReadonlySet<string>; readonly hits: RatedHit[] }[] = [];
  for (const hit of folded(hits)) {
    const terms = termsOf(hit);
    const group = groups.find(
      ({ hits: [best], terms: others }) => isRival(best!, hit) && likeness(others, terms) >= alikeFrom,
    );
    if (group === undefined) groups.push({ terms, hits: [hit] });
    else group.hits.push(hit);
  }
  return groups
    .flatMap((group) => group.hits.toSorted(newestFirst))
    .map(({ item, similarity }) => ({ item, similarity }));
}

const isRival = (best: RatedHit, other: RatedHit): boolean =>
  best.item.kind === other.item.kind && best.score - other.score < asGood;
