import type { Facts } from "../service/messages.ts";

export interface FactsRequest {
  /** A real path. */
  readonly path: string;
  /** What it says is wanted too, not only what it says of itself. */
  readonly wantsText: boolean;
}

/** What a file says of itself, and its words as search sees them. */
export interface FileFacts {
  readonly facts: Facts;
  readonly words: string;
}

/** A file that is open for reading. */
export interface OpenFile {
  readonly fd: number;
  readonly name: string;
  readonly size: number;
  /** At most so many bytes from its beginning. */
  readonly head: (bytes: number) => Buffer;
}

/** Values of a file by the names of attributes; what is undefined, empty or not a number is left out. */
export type RawFacts = Readonly<
  Record<string, string | number | Date | readonly string[] | null | undefined>
>;

/**
 * Reads one kind of file. `text` is at most `mostText` characters, and may be left out when it is not wanted.
 */
export type FactsReader = (
  file: OpenFile,
  wantsText: boolean,
) => Promise<{ readonly facts: RawFacts; readonly text?: string }>;

/** Characters of a file that are indexed. */
export const mostText = 262_144;
