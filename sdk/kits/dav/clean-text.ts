/** The text with `\n` as its only line break and without control characters but `\n` and tab. */
export const removeControlCharacters = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "");
