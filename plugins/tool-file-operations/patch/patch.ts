import { ToolError } from "@pergola/sdk";

export interface HunkLine {
  readonly mark: " " | "-" | "+";
  /** Without its line end. */
  readonly text: string;
}

/** A piece of change: what stands there, and what shall stand there instead. */
export interface Hunk {
  readonly lines: readonly HunkLine[];
  /** Lines that come somewhere before it, each after the one before. */
  readonly anchors: readonly string[];
  /**
   * How many lines come before it; told by unified diffs, and looked at only when a hunk has no old lines to
   * be found by.
   */
  readonly linesBefore: number | undefined;
  /** It must match at the file's end. */
  readonly isLast: boolean;
  /** The file's last line ends without a line feed, before and after. */
  readonly oldIsOpen: boolean;
  readonly newIsOpen: boolean;
}

/** What a patch does to one file. Paths are as written in the patch. */
export type FilePatch =
  | { readonly kind: "add"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string; readonly hunks: readonly Hunk[] }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly movedTo: string | undefined;
      readonly hunks: readonly Hunk[];
    };

export const hunkOf = (lines: readonly HunkLine[], facts: Partial<Omit<Hunk, "lines">> = {}): Hunk => ({
  anchors: [],
  linesBefore: undefined,
  isLast: false,
  oldIsOpen: false,
  newIsOpen: false,
  ...facts,
  lines,
});

/** The patch is not one: says where and why. */
export const malformed = (problem: string): ToolError =>
  new ToolError("invalid_value", `The patch can not be read: ${problem}.`, {
    hint: "Nothing was changed. Send `*** Begin Patch`, blocks of `*** Add File:`, `*** Update File:` or `*** Delete File:`, and `*** End Patch`; or a unified diff.",
  });
