/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Matches before paging. */
  readonly count: number;
}
