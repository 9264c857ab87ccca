import { ToolError } from "@pergola/sdk";
import { fitLineEnds, lineEndOf, splitLines } from "./lines.ts";

interface LineEdit {
  /** From 1. */
  readonly lineNumber: number;
  readonly newText: string;
  /**
   * `insert` puts the text before the line, one after the last being allowed; `replace` puts it in the line's
   * place.
   */
  readonly mode: "insert" | "replace";
}

/**
 * The text with whole lines inserted or one line replaced; new lines get the text's line ends, and a missing
 * one at the text's end is added where needed. Throws ToolError `invalid_value` for a line that is not there.
 */
export function editLines(
  text: string,
  { lineNumber, newText, mode }: LineEdit,
): { readonly text: string; readonly linesModified: number } {
  const lines = splitLines(text);
  const replaced = Number(mode === "replace");
  const last = lines.length + 1 - replaced;
  if (lineNumber > last) {
    const allowed = last === 0 ? "The file is empty." : `lineNumber may be 1 to ${last}.`;
    throw new ToolError(
      "invalid_value",
      `There is no line ${lineNumber}: the file has ${lines.length} lines.`,
      { hint: allowed },
    );
  }
  const lineEnd = lineEndOf(text);
  const before = lines.slice(0, lineNumber - 1).join("");
  const after = lines.slice(lineNumber - 1 + replaced).join("");
  const opened = before.replace(/[^\n]$/, `$&${lineEnd}`);
  const fitted = fitLineEnds(newText, text);
  const needsEnd = (after !== "" || text.endsWith("\n")) && !fitted.endsWith("\n");
  const closed = needsEnd ? fitted + lineEnd : fitted;
  return { text: opened + closed + after, linesModified: Math.max(1, splitLines(fitted).length) };
}
