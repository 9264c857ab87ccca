import { compareText, type SearchHit } from "@pergola/sdk";

/**
 * What nearness of vectors counts beside words. Weights here and in rate-text.ts were fitted, see
 * docs/memory.md.
 */
const nearWeight = 0.25;

/** Nearness counts by this power: what is not nearly as near as the nearest hardly counts. */
const sharpness = 4;

/** What a word hit that is not among the nearest counts as, beside the least near of these. */
const beyondNear = 0.7;

export interface Candidate {
  readonly id: string;
  /** What its words count: about 1 where it holds all words of the question. */
  readonly words: number;
  /** 0 to 1: how near its vector is, beside the nearest. */
  readonly nearness: number;
  /** Both of them, weighed. */
  readonly score: number;
  /** Of its vector with that of the question; undefined when it is not among the nearest. */
  readonly cosine: number | undefined;
}

/**
 * Word hits and near vectors in one order, best first. Words count by how much of the question they are, so
 * that a hit by a name alone does not stand before what is near in meaning; fusing by ranks would forget
 * both. A backend that tells no scores is taken by rank.
 */
export function mergeHits(words: readonly SearchHit[], near: readonly SearchHit[]): readonly Candidate[] {
  const cosines = new Map(near.map(({ id, similarity = 0 }) => [id, similarity]));
  let nearest = Number.EPSILON;
  let farthest = Infinity;
  for (const cosine of cosines.values()) {
    nearest = Math.max(nearest, cosine);
    farthest = Math.min(farthest, cosine);
  }
  const beyond = near.length > 0 ? beyondNear * farthest : 0;
  const counts = new Map(words.map(({ id, textScore }, rank) => [id, textScore ?? 1 / (1 + rank)]));
  const candidateOf = (id: string): Candidate => {
    const own = counts.get(id) ?? 0;
    const nearness = (Math.max(0, cosines.get(id) ?? beyond) / nearest) ** sharpness;
    return {
      id,
      words: own,
      nearness,
      score: own + nearWeight * nearness,
      cosine: cosines.get(id),
    };
  };
  return [...new Set([...counts.keys(), ...cosines.keys()])]
    .map(candidateOf)
    .toSorted((a, b) => b.score - a.score || compareText(a.id, b.id));
}
