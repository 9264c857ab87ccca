import type { MemoryDraft } from "@pergola/sdk";

/** Vectors of unit length, one for each text. */
export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** What is stored at one time. */
export interface Batch {
  readonly at: Date;
  readonly drafts: readonly MemoryDraft[];
}

/** Something to find: the right items by their place among all drafts. */
export interface Question {
  readonly text: string;
  readonly right: readonly number[];
  /** What kind of question it is. */
  readonly category?: string;
}

/** Memories of one scope, and questions about them. */
export interface Corpus {
  readonly batches: readonly Batch[];
  readonly questions: readonly Question[];
  /** The time at which the questions are asked. */
  readonly askedAt: Date;
}
