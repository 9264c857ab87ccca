import { ToolError } from "@pergola/sdk";

/**
 * A run of lines to be found and what shall stand there instead. Lines that are marked with a space are in
 * both.
 */
export interface Hunk {
  readonly lines: readonly { readonly mark: " " | "-" | "+"; readonly text: string }[];
  /**
   * Lines that stand somewhere before the hunk, each after the one before; compared without the space around
   * them.
   */
  readonly anchors: readonly string[];
  /** Lines before a hunk that only adds, as a diff's header counts them. */
  readonly linesBefore?: number | undefined;
  /** The hunk ends where the file ends. */
  readonly isLast?: boolean;
  /** Whether the new file ends without a line feed, if the hunk says so. */
  readonly endsOpen?: boolean | undefined;
}

/** What a patch does to one file; paths as the patch writes them. */
export type FilePatch =
  | { readonly kind: "add"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string; readonly hunks: readonly Hunk[] }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly movedTo?: string | undefined;
      readonly hunks: readonly Hunk[];
    };

const forms =
  "`*** Begin Patch`, blocks of `*** Add File:`, `*** Update File:` or `*** Delete File:`, " +
  "`*** End Patch`; or a unified diff";

/** What was sent is no patch, or not one for text files. */
export const unreadable = (problem: string): ToolError =>
  new ToolError("invalid_value", `The patch cannot be read: ${problem}.`, {
    hint: `Nothing was changed. Send ${forms}.`,
  });
