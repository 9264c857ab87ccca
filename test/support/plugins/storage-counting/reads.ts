/** What was read, and in how large pages. */
export interface Read {
  readonly collection: string;
  readonly records: number;
}

const key = Symbol.for("pergola.test.reads");

/** One for the process, by whichever loader this file is loaded. */
export const reads = ((globalThis as { [key]?: Read[] })[key] ??= []);
