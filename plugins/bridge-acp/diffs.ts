import type { ToolCallContent } from "@agentclientprotocol/sdk";

/** A change of one file, as previews and recorded changes carry it. */
export interface FileDiff {
  readonly path: string;
  /** created, modified, deleted or renamed. */
  readonly change: string;
  readonly hunks: readonly { readonly lines: readonly string[] }[];
}

/** The lines of a hunk that stand before, or after; a line that says there is no line break ends the text. */
function side(lines: readonly string[], left: "-" | "+"): string {
  let text = "";
  let isTaken = false;
  for (const line of lines) {
    if (line.startsWith("\\")) {
      if (isTaken) text = text.replace(/\n$/, "");
      continue;
    }
    isTaken = !line.startsWith(left);
    if (isTaken) text += `${line.slice(1)}\n`;
  }
  return text;
}

/** One diff for each hunk: editors find its place by its text. */
export const diffsOf = ({ path, change, hunks }: FileDiff): readonly ToolCallContent[] =>
  hunks.map(({ lines }) => ({
    type: "diff",
    path,
    oldText: change === "created" ? null : side(lines, "+"),
    newText: side(lines, "-"),
  }));
