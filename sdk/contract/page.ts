/** Which part of a list to read; each list says what it gives without them. */
export interface PageRange {
  readonly limit?: number;
  readonly offset?: number;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Matches before paging. */
  readonly count: number;
}
