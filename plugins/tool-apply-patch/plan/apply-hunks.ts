import { ToolError } from "@pergola/sdk";
import type { Hunk } from "../file-patch.ts";
import { HunkFinder } from "./find-hunk.ts";
import { lineEndOf, TextLines, withoutEnd } from "./text-lines.ts";

const mostListed = 20;

interface Placed {
  readonly hunk: Hunk;
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/**
 * A text with all hunks applied. Lines that stay keep their ends, new ones take those of the text, and a
 * missing line feed at the end stays missing unless the patch says otherwise. Throws ToolError, naming file
 * and hunk: `not_found`, `ambiguous_match`, `invalid_value` when two hunks claim one line.
 */
export function applyHunks(text: string, hunks: readonly Hunk[], path: string): string {
  const lines = new TextLines(text);
  const finder = new HunkFinder(lines);
  const placed = hunks
    .map((hunk, index) => place(finder, hunk, index + 1, path))
    .sort((a, b) => a.start - b.start || a.number - b.number);
  const lineEnd = lineEndOf(text);
  const pieces: string[] = [];
  let done = 0;
  for (const { hunk, number, start, end } of placed) {
    if (start < done)
      throw failure(
        "invalid_value",
        { file: path, hunk: number },
        "changes lines that another hunk changes too",
        { advice: "Join the two." },
      );
    pieces.push(lines.slice(done, start));
    for (const piece of replaced(hunk, lines, start, lineEnd)) pieces.push(piece);
    done = end;
  }
  pieces.push(lines.slice(done, lines.count));
  const isOpen =
    hunks.find(({ endsOpen }) => endsOpen !== undefined)?.endsOpen ?? (text !== "" && !text.endsWith("\n"));
  const closed = pieces.map((piece) => withEnd(piece, lineEnd)).join("");
  return isOpen ? withoutEnd(closed) : closed;
}

const withEnd = (piece: string, lineEnd: string): string =>
  piece === "" || piece.endsWith("\n") ? piece : piece + lineEnd;

/** The hunk's new lines; those that stay are the file's own. */
function* replaced(hunk: Hunk, lines: TextLines, start: number, lineEnd: string): Iterable<string> {
  let at = start;
  for (const { mark, text } of hunk.lines) {
    if (mark === "+") yield text + lineEnd;
    if (mark === " ") yield lines.slice(at, at + 1);
    if (mark !== "+") at += 1;
  }
}

function place(finder: HunkFinder, hunk: Hunk, number: number, path: string): Placed {
  const name: HunkName = { file: path, hunk: number };
  let count = 0;
  const starts: number[] = [];
  for (const start of finder.places(hunk)) {
    count += 1;
    if (count <= mostListed) starts.push(start);
  }
  const [start] = starts;
  if (start === undefined)
    throw failure("not_found", name, "matches nowhere", {
      advice: "Read the file and copy the lines around the change exactly.",
    });
  if (count > 1) {
    const at = starts.map((index) => index + 1);
    throw failure("ambiguous_match", name, `matches in ${count} places, on lines ${at.join(", ")}`, {
      advice: "Put more of the lines around the change into the hunk.",
      fields: { matchCount: count, lines: at },
    });
  }
  return { hunk, number, start, end: start + hunk.lines.filter(({ mark }) => mark !== "+").length };
}

interface HunkName {
  readonly file: string;
  readonly hunk: number;
}

const failure = (
  code: string,
  name: HunkName,
  problem: string,
  { advice, fields = {} }: { readonly advice: string; readonly fields?: object },
): ToolError =>
  new ToolError(code, `Hunk ${name.hunk} of ${name.file} ${problem}.`, {
    hint: `Nothing was changed. ${advice}`,
    fields: { ...name, ...fields },
  });
