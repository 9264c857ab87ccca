import type { SearchHit } from "@pergola/sdk";

/** How slowly a word hit loses weight with its rank: the ninth best counts half of the first. */
const decay = 8;

/** What a word hit that is not among the nearest counts as, beside the least near of these. */
const beyondNear = 0.7;

export interface Candidate {
  readonly id: string;
  /** 0 to 2. */
  readonly score: number;
  /** Of its vector with that of the question; undefined when it is not among the nearest. */
  readonly cosine: number | undefined;
}

/**
 * Word hits and near vectors in one order, best first. Words count by rank, 1 ÷ (1 + rank ÷ 8); vectors by their cosine, as a share of the
 * nearest one's. On turns of long dialogues this finds more than fusing both by rank, which forgets how near a vector is.
 */
export function mergeHits(words: readonly SearchHit[], near: readonly SearchHit[]): readonly Candidate[] {
  const cosines = new Map(near.map(({ id, similarity = 0 }) => [id, similarity]));
  const nearest = Math.max(Number.EPSILON, ...cosines.values());
  const beyond = near.length === 0 ? 0 : beyondNear * Math.min(...cosines.values());
  const ranks = new Map(words.map(({ id }, rank) => [id, rank]));
  const scoreOf = (id: string): number => {
    const rank = ranks.get(id);
    return (rank === undefined ? 0 : 1 / (1 + rank / decay)) + Math.max(0, cosines.get(id) ?? beyond) / nearest;
  };
  return [...new Set([...ranks.keys(), ...cosines.keys()])]
    .map((id) => ({ id, score: scoreOf(id), cosine: cosines.get(id) }))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
