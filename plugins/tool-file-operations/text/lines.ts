/** A line with its end, as it stands in the file. */
export const splitLines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Lines of a text: a line feed at the very end opens no further line. */
export const countLines = (text: string): number => splitLines(text).length;

/** `\r\n` when every line of the text ends so, else `\n`. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  if (!text.includes("\r\n") || /(?<!\r)\n/.test(text)) return "\n";
  return "\r\n";
}

/** The piece with the line ends of the text it goes into. */
export function fitLineEnds(piece: string, text: string): string {
  if (lineEndOf(text) === "\n") return piece;
  return piece.replace(/\r?\n/g, "\r\n");
}

/** Where the line that an index lies on ends: at its line feed, or at the end of the text. */
export function lineEndAfter(text: string, index: number): number {
  const lineFeed = text.indexOf("\n", index);
  if (lineFeed < 0) return text.length;
  return lineFeed;
}

/** Number of the line that an index lies on, from 1. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
