import { piecesOf } from "../request/read-request.ts";
import { kindOfPiece } from "../nearest/likeness.ts";

const breaks = /(?<=[.!?;])\s+|[\s,;]+(?:and then|then|and also|and)\s+/i;

/** The steps of a message, in order: sentences, and what `and` or `then` joins. */
export const stepsOf = (text: string): readonly string[] => {
  const quoted = /["'`]/.test(text);
  return quoted ? [text] : text.split(breaks).filter((step) => /\w/.test(step));
};

/**
 * `delete a.txt, b.txt and c.txt` as one sentence for each file; undefined when there is no such row of paths
 * or addresses.
 */
export function eachNamed(text: string): readonly string[] | undefined {
  const pieces = piecesOf(text);
  const named = pieces.map((piece) => ["path", "url"].includes(kindOfPiece(piece) ?? ""));
  const first = named.indexOf(true);
  const last = named.lastIndexOf(true);
  const row = pieces.slice(first, last + 1);
  const isRow = row.every((piece, index) => named[first + index] === true || piece.key === "and");
  if (first === last || !isRow) return undefined;
  const [start, end] = [pieces[first]?.start ?? 0, pieces[last]?.end ?? 0];
  return row
    .filter(({ key }) => key !== "and")
    .map((piece) => text.slice(0, start) + piece.text + text.slice(end));
}
