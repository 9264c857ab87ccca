import type { SearchHit } from "@pergola/sdk";

/** What nearness of vectors counts beside words. Weights here and in rate-text.ts were fitted to turns of long dialogues. */
const nearWeight = 0.5;

/** What a word hit that is not among the nearest counts as, beside the least near of these. */
const beyondNear = 0.7;

export interface Candidate {
  readonly id: string;
  /** What its words count, and how near its vector is, each as a share of the best one's. */
  readonly words: number;
  readonly nearness: number;
  /** Both of them, weighed: 0 to 1.5. */
  readonly score: number;
  /** Of its vector with that of the question; undefined when it is not among the nearest. */
  readonly cosine: number | undefined;
}

/**
 * Word hits and near vectors in one order, best first: each counts as a share of the best of its kind. On turns of long dialogues this
 * finds more than fusing both by rank, which forgets how much better the best one is. A backend that tells no scores is taken by rank.
 */
export function mergeHits(words: readonly SearchHit[], near: readonly SearchHit[]): readonly Candidate[] {
  const cosines = new Map(near.map(({ id, similarity = 0 }) => [id, similarity]));
  const nearest = Math.max(Number.EPSILON, ...cosines.values());
  const beyond = near.length === 0 ? 0 : beyondNear * Math.min(...cosines.values());
  const counts = new Map(words.map(({ id, textScore }, rank) => [id, textScore ?? 1 / (1 + rank)]));
  const most = Math.max(Number.EPSILON, ...counts.values());
  const candidateOf = (id: string): Candidate => {
    const share = (counts.get(id) ?? 0) / most;
    const nearness = Math.max(0, cosines.get(id) ?? beyond) / nearest;
    return { id, words: share, nearness, score: share + nearWeight * nearness, cosine: cosines.get(id) };
  };
  return [...new Set([...counts.keys(), ...cosines.keys()])]
    .map(candidateOf)
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
