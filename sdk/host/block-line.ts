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
  const signs = line.length <= most ? [] : [...line];
  return (signs.length <= most ? line : `${signs.slice(0, Math.max(0, most - 1)).join("")}…`).replaceAll(
    "<",
    "&lt;",
  );
}
