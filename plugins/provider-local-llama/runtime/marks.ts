/** What encloses a call that a model writes, and its thoughts. */
export const callStart = "<tool_call>";
export const callEnd = "</tool_call>";

export const thoughts: readonly { readonly start: string; readonly end: string }[] = [
  { start: "<think>", end: "</think>" },
  { start: "<thinking>", end: "</thinking>" },
];

/** How many characters at the end of the text begin one of the words without completing it. */
export function unfinishedLength(text: string, words: readonly string[]): number {
  const longest = Math.min(text.length, Math.max(0, ...words.map(({ length }) => length - 1)));
  for (let length = longest; length > 0; length--) {
    const tail = text.slice(-length);
    if (words.some((word) => word.startsWith(tail))) return length;
  }
  return 0;
}

/** Where the first of the words stands in the text. */
export function firstOf(
  text: string,
  words: readonly string[],
): { readonly word: string; readonly at: number } | undefined {
  return words
    .map((word) => ({ word, at: text.indexOf(word) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at || b.word.length - a.word.length)[0];
}
