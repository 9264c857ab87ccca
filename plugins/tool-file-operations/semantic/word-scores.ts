const saturation = 1.2;
const lengthWeight = 0.75;

/** A chunk as far as ranking by words needs it. */
export interface ChunkHits {
  /** Occurrences of each term; undefined when none occurs. */
  readonly hits: readonly number[] | undefined;
  readonly length: number;
}

/**
 * How well each chunk fits by its words, 0 to 1: Okapi BM25 (k1 = 1.2, b = 0.75, lengths in characters) as a
 * share of the score that a chunk full of every term would have.
 */
export function wordScores(chunks: readonly ChunkHits[], terms: readonly string[]): readonly number[] {
  const meanLength = chunks.reduce((sum, { length }) => sum + length, 0) / Math.max(1, chunks.length);
  const rarity = terms.map((_, term) => {
    const holding = chunks.filter(({ hits }) => (hits?.[term] ?? 0) > 0).length;
    return Math.log(1 + (chunks.length - holding + 0.5) / (holding + 0.5));
  });
  const best = rarity.reduce((sum, weight) => sum + weight * (saturation + 1), 0);
  return chunks.map(({ hits, length }) => {
    const damping = saturation * (1 - lengthWeight + lengthWeight * (length / meanLength));
    const score =
      hits?.reduce(
        (sum, count, term) => sum + ((rarity[term] ?? 0) * count * (saturation + 1)) / (count + damping),
        0,
      ) ?? 0;
    return best === 0 ? 0 : Math.min(1, score / best);
  });
}
