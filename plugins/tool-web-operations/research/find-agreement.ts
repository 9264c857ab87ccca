import { cosine, type Evidence } from "./rank-sentences.ts";

/** Several sentences that say about the same; the one that fits the question best comes first. */
export type Group = readonly [Evidence, ...Evidence[]];

const alike = { meaning: 0.75, words: 0.5, leastWords: 3 } as const;

/**
 * By meaning where both have vectors; else by the share of the shorter one's words that the other has too.
 */
function agree(one: Evidence, other: Evidence): boolean {
  if (one.vector !== undefined && other.vector !== undefined)
    return cosine(one.vector, other.vector) >= alike.meaning;
  const shared = [...one.terms].filter((term) => other.terms.has(term)).length;
  return shared >= alike.leastWords && shared / Math.min(one.terms.size, other.terms.size) >= alike.words;
}

/**
 * Puts each sentence to the first that it agrees with; the best groups in the order of their first sentences.
 */
export function findAgreement(ranked: readonly Evidence[], most: number): readonly Group[] {
  const groups: [Evidence, ...Evidence[]][] = [];
  for (const evidence of ranked) {
    const group = groups.find(([first]) => agree(first, evidence));
    if (group !== undefined) group.push(evidence);
    else groups.push([evidence]);
  }
  return groups.slice(0, most);
}
