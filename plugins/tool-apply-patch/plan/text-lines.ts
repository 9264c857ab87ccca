/** Lines of a text with their ends; a line feed at the very end opens no further line. */
export const splitLines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** A line without its end. */
export const bare = (line: string): string => line.replace(/\r?\n$/, "");

/** The ends of most of a text's lines; `\n` where it has none. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const all = text.split("\n").length - 1;
  const pairs = text.split("\r\n").length - 1;
  if (pairs > all / 2) return "\r\n";
  return "\n";
}
