const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}\p{M}_]/u.test(character);

/** Where a text holds a symbol as a whole word, in UTF-16 units. */
export function* occurrences(text: string, symbol: string): Generator<number, undefined> {
  for (let at = text.indexOf(symbol); at >= 0; at = text.indexOf(symbol, at + symbol.length)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + symbol.length])) yield at;
  }
  return undefined;
}
