import type { Mark, MarkKind } from "./mark.ts";

/** What a recogniser makes of its match. */
export type Found = Omit<Mark, "start" | "end" | "kind">;

/** A way to find marks of one kind. */
export interface Recogniser {
  readonly kind: MarkKind;
  /** Global. The first group, where there is one, is the marked piece; otherwise the whole match is. */
  readonly pattern: RegExp;
  /** undefined when the match is none after all; without it the piece is the value. */
  readonly read?: (piece: string, match: RegExpExecArray) => Found | undefined;
}

/** Without the punctuation that belongs to the sentence. */
export const trimmed = (piece: string): string => piece.replace(/[.,;:!?)\]]+$/, "");
