import type { SearchHit } from "../contract/storage.ts";
import { compareText } from "../util/compare-text.ts";
import { defined } from "../util/defined.ts";

/** The constant of reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009. */
const damping = 60;

/** How many of the best word hits and of the nearest vectors take part in the merge for a query's `limit`. */
export const candidateCount = (limit: number): number => Math.max(50, 4 * limit);

export interface Rankings {
  /** Ids of the word hits, best first. */
  readonly words: readonly string[];
  /** What the words of each word hit count. */
  readonly textScores?: ReadonlyMap<string, number>;
  /** Ids by similarity of their vectors, nearest first. */
  readonly vectors: readonly string[];
  /** Cosine by id, for every hit that has a vector. */
  readonly similarities: ReadonlyMap<string, number>;
  readonly limit: number;
}

/**
 * Merges word hits and vector hits by reciprocal rank, 1 ÷ (60 + rank) for each list; equal scores in the
 * order of their ids.
 */
export function fuseRanks({
  words,
  textScores,
  vectors,
  similarities,
  limit,
}: Rankings): readonly SearchHit[] {
  const scores = new Map<string, number>();
  for (const list of [words, vectors]) {
    for (const [index, id] of list.entries())
      scores.set(id, (scores.get(id) ?? 0) + 1 / (damping + index + 1));
  }
  const textRanks = new Map(words.map((id, index) => [id, index + 1]));
  return [...scores]
    .toSorted(([a, scoreA], [b, scoreB]) => scoreB - scoreA || compareText(a, b))
    .slice(0, limit)
    .map(([id, score]) =>
      defined({
        id,
        score,
        similarity: similarities.get(id),
        textRank: textRanks.get(id),
        textScore: textScores?.get(id),
      }),
    );
}
