/**
 * What a marked piece of a phrase can be. `name` is a bare word after "called" or the like; `here` is the
 * working directory.
 */
export type MarkKind =
  | "text"
  | "url"
  | "id"
  | "regex"
  | "glob"
  | "extension"
  | "path"
  | "here"
  | "symbol"
  | "address"
  | "name"
  | "number"
  | "date"
  | "flag";

/** A piece of a phrase that can become an argument. `start` and `end` are places in the plain text. */
export interface Mark {
  readonly kind: MarkKind;
  readonly value: string | number;
  readonly start: number;
  readonly end: number;
  /** A guess from its place in the sentence: good enough to look with, never to change something. */
  readonly loose?: boolean;
  /** A path that is meant as a directory. */
  readonly directory?: boolean;
}
