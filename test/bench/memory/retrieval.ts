/** How well answers were found: shares of the questions, and what was returned. */
export interface Retrieval {
  readonly questions: number;
  /** Questions of whose right items one at least is among the first ten or five. */
  readonly recall10: number;
  readonly recall5: number;
  /** The mean of 1 ÷ rank of the first right item (mean reciprocal rank); 0 where none was found. */
  readonly mrr: number;
  /** Of the contents of ten hits, a quarter of their characters; mean. */
  readonly tokens: number;
  /** Median time of a search, without that of the question's vector. */
  readonly milliseconds: number;
}

/** What one question found. */
export interface Found {
  readonly ids: readonly string[];
  readonly characters: number;
  readonly milliseconds: number;
  readonly right: ReadonlySet<string>;
  readonly category?: string | undefined;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function retrievalOf(found: readonly Found[]): Retrieval {
  const ranks = found.map(({ ids, right }) => ids.findIndex((id) => right.has(id)) + 1);
  const within = (limit: number): number => mean(ranks.map((rank) => (rank > 0 && rank <= limit ? 1 : 0)));
  const times = found.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  return {
    questions: found.length,
    recall10: within(10),
    recall5: within(5),
    mrr: mean(ranks.map((rank) => (rank === 0 ? 0 : 1 / rank))),
    tokens: mean(found.map(({ characters }) => characters / 4)),
    milliseconds: times[Math.floor(times.length / 2)] ?? Number.NaN,
  };
}
