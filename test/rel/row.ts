/** A bound of one figure of a row. */
export interface Bound {
  /** What a test adds with `addFigure`, or a key of `counted`. */
  readonly figure: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Of several values the sum counts, or the largest. */
  readonly largest?: boolean;
}

/** One promise of reliability, and the tests that prove it. */
export interface Row {
  readonly id: string;
  /** What is proved, for people. */
  readonly what: string;
  /** Test files, from the root. */
  readonly files: readonly string[];
  readonly bounds?: readonly Bound[];
  /**
   * Figures of passed tests whose titles fit: each counts as one, or as the number that the expression
   * captures.
   */
  readonly counted?: Readonly<Record<string, RegExp>>;
  /** How much the tests do, by the variables that they read. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** It measures time, so nothing else runs beside it. */
  readonly alone?: boolean;
  /** It takes hours, so it runs only when it is named. */
  readonly nightly?: boolean;
  /** Tests that may be skipped, and why; every other skipped test is a miss. */
  readonly mayMiss?: Readonly<Record<string, string>>;
}

/** A figure with its bound. */
export interface Found {
  readonly figure: string;
  readonly value: number;
  readonly goal: string;
  readonly ok: boolean;
}

export interface Outcome {
  readonly id: string;
  readonly what: string;
  readonly found: readonly Found[];
  readonly tests: number;
  /** Titles of tests that failed or were skipped, and what else went wrong. */
  readonly faults: readonly string[];
  readonly seconds: number;
  readonly ok: boolean;
}
