import { ToolError } from "@pergola/sdk";
import type { Hunk } from "../file-patch.ts";
import { findHunk } from "./find-hunk.ts";
import { bare, lineEndOf, splitLines } from "./text-lines.ts";

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
  const lines = splitLines(text);
  const bareLines = lines.map(bare);
  const placed = hunks
    .map((hunk, index) => place(bareLines, hunk, index + 1, path))
    .sort((a, b) => a.start - b.start || a.number - b.number);
  const lineEnd = lineEndOf(text);
  const result: string[] = [];
  let done = 0;
  for (const { hunk, number, start, end } of placed) {
    if (start < done)
      throw failure(
        "invalid_value",
        { file: path, hunk: number },
        "changes lines that another hunk changes too",
        { advice: "Join the two." },
      );
    result.push(...lines.slice(done, start), ...replaced(hunk, lines.slice(start, end), lineEnd));
    done = end;
  }
  const all = [...result, ...lines.slice(done)];
  const isOpen =
    hunks.find(({ endsOpen }) => endsOpen !== undefined)?.endsOpen ?? (text !== "" && !text.endsWith("\n"));
  return all.map((line, index) => ended(line, lineEnd, isOpen && index === all.length - 1)).join("");
}

function ended(line: string, lineEnd: string, isOpen: boolean): string {
  if (isOpen) return bare(line);
  return line.endsWith("\n") ? line : line + lineEnd;
}

/** The hunk's new lines; those that stay are the file's own. */
function replaced(hunk: Hunk, old: readonly string[], lineEnd: string): readonly string[] {
  let at = 0;
  const next = (): string => old[at++] ?? "";
  return hunk.lines.flatMap(({ mark, text }) => {
    if (mark === "+") return [text + lineEnd];
    const line = next();
    return mark === " " ? [line] : [];
  });
}

function place(lines: readonly string[], hunk: Hunk, number: number, path: string): Placed {
  const places = findHunk(lines, hunk);
  const [start] = places;
  const name: HunkName = { file: path, hunk: number };
  if (start === undefined)
    throw failure("not_found", name, "matches nowhere", {
      advice: "Read the file and copy the lines around the change exactly.",
    });
  if (places.length > 1) {
    const at = places.slice(0, mostListed).map((index) => index + 1);
    throw failure("ambiguous_match", name, `matches in ${places.length} places, on lines ${at.join(", ")}`, {
      advice: "Put more of the lines around the change into the hunk.",
      fields: { matchCount: places.length, lines: at },
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
