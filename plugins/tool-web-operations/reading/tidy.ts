/**
 * Characters that are not seen but are read by a model: tags that spell a second text (U+E0000 to U+E007F),
 * marks that turn the direction, joiners of no width. Joiners that letters and emoji need stay.
 */
const unseen = /[\u{e0000}-\u{e007f}\u202a-\u202e\u2060-\u2064\u2066-\u2069\u200b\u200e\u200f\ufeff\u00ad]/gu;

/** A text on one line, each run of white space one space, without unseen characters. */
export const oneLine = (text: string): string => tidy(text.replace(/\s+/g, " "));

/** Without unseen characters, spaces at the ends of lines and more than one empty line. */
export function tidy(text: string): string {
  const lines = text
    .replace(unseen, "")
    .split(/\r\n?|\n/)
    .map((line) => line.trimEnd());
  return lines
    .filter((line, at) => line !== "" || lines[at - 1] !== "")
    .join("\n")
    .trim();
}
