import type { Json } from "@pergola/sdk";

/** What an argument must be: a value, or a text that holds all of some words (case does not count). */
export type Expected = Json | { readonly has: readonly string[] };

export type ExpectedArguments = Readonly<Record<string, Expected>>;

/** A phrase with its label. */
export interface Phrase {
  readonly say: string;
  /**
   * Operations any of which is right as the first call, alone or as `tool.operation`; empty = no call at all.
   */
  readonly operations: readonly string[];
  /**
   * Sets of arguments any of which is right: what the person gave, and nothing beyond the schema's defaults.
   */
  readonly arguments: readonly ExpectedArguments[];
}

/** A phrase that one operation answers; several sets of arguments are alternatives. */
export const phrase = (
  say: string,
  operation: string | readonly string[],
  ...args: readonly ExpectedArguments[]
): Phrase => ({
  say,
  operations: typeof operation === "string" ? [operation] : operation,
  arguments: args.length === 0 ? [{}] : args,
});

/** A phrase that must not lead to a call. */
export const silent = (say: string): Phrase => ({ say, operations: [], arguments: [] });

export const has = (...words: readonly string[]): Expected => ({ has: words });
