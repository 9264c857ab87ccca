/** Signs that nobody sees, but for the joiners that scripts and emoji need, and halves of characters. */
const unseen = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu;

/**
 * Somebody's text as one line of a block that is added to a prompt: it can neither end the block nor begin a
 * line of its own, and hides nothing. Longer than `most` characters, it is cut.
 */
export function blockLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = text
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replaceAll(unseen, "")
    .trim();
  return shorten(line, most).replaceAll("<", "&lt;");
}

function shorten(line: string, most: number): string {
  if (line.length <= most) return line;
  const characters = [...line];
  if (characters.length <= most) return line;
  return `${characters.slice(0, Math.max(0, most - 1)).join("")}…`;
}
