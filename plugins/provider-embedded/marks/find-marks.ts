import type { Mark } from "./mark.ts";
import { recognisers, type Recogniser } from "./recognisers.ts";

const overlaps = (a: Mark, b: Mark): boolean => a.start < b.end && b.start < a.end;

function* matchesOf({ kind, pattern, read }: Recogniser, text: string): Iterable<Mark> {
  for (const match of text.matchAll(pattern)) {
    const piece = match[1] ?? match[0];
    const found = read === undefined ? { value: piece } : read(piece, match);
    if (found === undefined) continue;
    const start = startOf(match, piece);
    yield { kind, ...found, start, end: start + lengthOf(match, piece) };
  }
}

const isDelimited = (match: RegExpExecArray): boolean => /^["'`]/.test(match[0]);
const startOf = (match: RegExpExecArray, piece: string): number => match.index + (isDelimited(match) ? 0 : match[0].lastIndexOf(piece));
const lengthOf = (match: RegExpExecArray, piece: string): number => (isDelimited(match) ? match[0].length : piece.length);

/** The pieces of a plain text that can become arguments, in order, none over another. */
export function findMarks(text: string): readonly Mark[] {
  const marks: Mark[] = [];
  for (const recogniser of recognisers) {
    for (const mark of matchesOf(recogniser, text)) {
      if (!marks.some((taken) => overlaps(taken, mark))) marks.push(mark);
    }
  }
  return marks.sort((a, b) => a.start - b.start);
}
