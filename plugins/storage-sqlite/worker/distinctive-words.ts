/** How many postings a query may walk through: about 0.5 µs each. */
const budget = 20_000;

/** A word counted in more documents than this is not worth a search of its own. */
export const countedUpTo = budget + 1;

/**
 * The words of a query that are worth looking for: from the rarest up, as long as their documents stay within the budget, and at least one.
 * Very common words hardly tell documents apart, but would make a query walk through the whole index.
 */
export function distinctiveWords(words: readonly string[], countOf: (word: string) => number): readonly string[] {
  const counted = words.map((word) => ({ word, count: countOf(word) })).filter(({ count }) => count > 0);
  const sorted = counted.toSorted((a, b) => a.count - b.count);
  const sums = sorted.map((_, index) => sorted.slice(0, index + 1).reduce((sum, { count }) => sum + count, 0));
  return sorted.filter((_, index) => index === 0 || (sums[index] ?? 0) <= budget).map(({ word }) => word);
}
