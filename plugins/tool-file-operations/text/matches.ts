import { lineAt } from "./lines.ts";

const listed = 20;

export interface Matches {
  readonly count: number;
  /** The lines that the first 20 of them begin on. */
  readonly lines: readonly number[];
}

/**
 * How often and where a piece stands in a text. Overlapping ones count too: each is a place that could be
 * meant.
 */
export function findMatches(text: string, piece: string): Matches {
  const lines: number[] = [];
  let count = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
    if (count < listed) lines.push(lineAt(text, at));
    count += 1;
  }
  return { count, lines };
}

/** Number of the first line that equals the piece's first line but for white space around it. */
export function similarLine(text: string, piece: string): number | undefined {
  const pattern = piece
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.trim();
  if (pattern === undefined) return undefined;
  const index = text.split("\n").findIndex((line) => line.trim() === pattern);
  return index + 1 || undefined;
}
