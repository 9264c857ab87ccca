export interface Page<T> {
  readonly items: readonly T[];
  /** Matches before paging. */
  readonly count: number;
}
