import { expressions } from "../language/expressions.ts";
import type { Mark } from "../marks/mark.ts";

interface Place {
  readonly start: number;
  readonly end: number;
}

/** A text with, for each of its characters, the place in the first text that it stands for. */
export interface Traced {
  readonly text: string;
  readonly places: readonly Place[];
}

/** The text with its marks blanked. Every character keeps its place. */
export const blankMarks = (text: string, marks: readonly Place[]): string =>
  marks.reduce(
    (done, { start, end }) => done.slice(0, start) + "\uFFFC".repeat(end - start) + done.slice(end),
    text,
  );

function fold({ text, places }: Traced, [pattern, by]: readonly [RegExp, string]): Traced {
  const pieces: Traced[] = [];
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    const place = { start: places[match.index]?.start ?? 0, end: places[end - 1]?.end ?? 0 };
    pieces.push({ text: text.slice(last, match.index), places: places.slice(last, match.index) });
    pieces.push({ text: by, places: Array<Place>(by.length).fill(place) });
    last = end;
  }
  if (pieces.length === 0) return { text, places };
  pieces.push({ text: text.slice(last), places: places.slice(last) });
  return {
    text: pieces.map((piece) => piece.text).join(""),
    places: pieces.flatMap((piece) => piece.places),
  };
}

/** The text with marks blanked and turns of phrase replaced by the word they mean. */
export function foldExpressions(text: string, marks: readonly Mark[]): Traced {
  const places = Array.from({ length: text.length }, (_, start) => ({ start, end: start + 1 }));
  return expressions.reduce(fold, { text: blankMarks(text, marks), places });
}
