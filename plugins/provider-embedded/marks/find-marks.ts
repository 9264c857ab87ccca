import type { Mark } from "./mark.ts";
import type { Recogniser } from "./recogniser.ts";
import { recognisers } from "./recognisers.ts";

const overlaps = (a: Mark, b: Mark): boolean => a.start < b.end && b.start < a.end;

function* matchesOf({ kind, pattern, read }: Recogniser, text: string): Iterable<Mark> {
  for (const match of text.matchAll(pattern)) {
    const piece = match[1] ?? match[0];
    const found = read === undefined ? { value: piece } : read(piece, match);
    if (found === undefined) continue;
    const start = startOf(match, piece);
    const trimmed =
      typeof found.value === "string" && piece.startsWith(found.value) ? found.value.length : piece.length;
    yield { kind, ...found, start, end: start + (isDelimited(match) ? match[0].length : trimmed) };
  }
}

const isDelimited = (match: RegExpExecArray): boolean => /^["'`]/.test(match[0]);
const startOf = (match: RegExpExecArray, piece: string): number =>
  match.index + (isDelimited(match) ? 0 : match[0].lastIndexOf(piece));

/**
 * The pieces of a plain text that can become arguments, in order, none over another. `given` marks come
 * first.
 */
export function findMarks(text: string, given: readonly Mark[] = []): readonly Mark[] {
  const marks: Mark[] = [...given];
  for (const recogniser of recognisers) {
    for (const mark of matchesOf(recogniser, text)) {
      if (!marks.some((taken) => overlaps(taken, mark))) marks.push(mark);
    }
  }
  return marks.sort((a, b) => a.start - b.start);
}
