import { ToolError } from "@pergola/sdk";
import { lineEndOf, splitLines } from "../text/lines.ts";
import { hunkPlaces } from "./locate-hunk.ts";
import type { Hunk } from "./patch.ts";

const listed = 20;
const bare = (line: string): string => line.replace(/\r?\n$/, "");

interface Placed {
  readonly hunk: Hunk;
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/**
 * The text with all hunks applied; each must fit in exactly one place. New lines take the text's line ends,
 * lines that stay keep theirs. Throws ToolError `not_found` or `ambiguous_match` naming file and hunk,
 * `invalid_value` when two hunks change the same lines.
 */
export function applyHunks(text: string, hunks: readonly Hunk[], path: string): string {
  const lines = splitLines(text);
  const bareLines = lines.map(bare);
  const placed = hunks
    .map((hunk, index) => place(bareLines, hunk, index + 1, path))
    .sort((a, b) => a.start - b.start);
  const lineEnd = lineEndOf(text);
  const result: string[] = [];
  let done = 0;
  for (const { hunk, number, start, end } of placed) {
    if (start < done)
      throw new ToolError(
        "invalid_value",
        `Hunk ${number} of ${path} changes lines that another hunk changes too.`,
        {
          hint: unchanged("Join the two."),
        },
      );
    result.push(...lines.slice(done, start), ...newLines(hunk, lines.slice(start, end), lineEnd));
    done = end;
  }
  return joined([...result, ...lines.slice(done)], lineEnd, endsOpen(text, hunks));
}

const unchanged = (advice: string): string => `Nothing was changed. ${advice}`;

function place(lines: readonly string[], hunk: Hunk, number: number, path: string): Placed {
  const places = hunkPlaces(lines, hunk);
  const [start] = places;
  if (start === undefined) {
    throw new ToolError("not_found", `Hunk ${number} of ${path} matches nowhere.`, {
      hint: unchanged("Read the file and copy the lines round the change exactly."),
      fields: { file: path, hunk: number },
    });
  }
  if (places.length > 1) {
    const where = places.slice(0, listed).map((at) => at + 1);
    throw new ToolError(
      "ambiguous_match",
      `Hunk ${number} of ${path} matches in ${places.length} places, on lines ${where.join(", ")}.`,
      {
        hint: unchanged(
          "Put more of the lines around it into the hunk, or an @@ line with the function it stands in.",
        ),
        fields: { file: path, hunk: number, matchCount: places.length, lines: where },
      },
    );
  }
  return { hunk, number, start, end: start + hunk.lines.filter(({ mark }) => mark !== "+").length };
}

function newLines(hunk: Hunk, old: readonly string[], lineEnd: string): readonly string[] {
  let at = 0;
  return hunk.lines.flatMap(({ mark, text }) => {
    if (mark === "+") return [text + lineEnd];
    at += 1;
    return mark === " " ? [old[at - 1] ?? ""] : [];
  });
}

/** Whether the new text ends without a line feed: as the diff says, else as before. */
function endsOpen(text: string, hunks: readonly Hunk[]): boolean {
  const telling = hunks.find(({ oldIsOpen, newIsOpen }) => oldIsOpen || newIsOpen);
  return telling === undefined ? text !== "" && !text.endsWith("\n") : telling.newIsOpen;
}

const joined = (lines: readonly string[], lineEnd: string, isOpen: boolean): string =>
  lines
    .map((line, index) =>
      index === lines.length - 1 && isOpen ? bare(line) : line.endsWith("\n") ? line : line + lineEnd,
    )
    .join("");
