/** Characters of a word that count: PostgreSQL takes lexemes of up to 2,046 bytes. */
const longest = 500;

/** Bytes of the lexemes of a text, of the 1,048,575 that PostgreSQL takes. */
const largest = 1_000_000;

/** A word as an index holds it. */
export const lexeme = (word: string): string => [...word.slice(0, 2 * longest)].slice(0, longest).join("");

/** Each word of some lists once, as many as an index takes of one text. */
export function lexemesOf(
  lists: readonly (readonly string[])[],
  prefixOf = (_list: number) => "",
): readonly string[] {
  const found = new Set<string>();
  let bytes = 0;
  for (const [list, words] of lists.entries())
    for (const word of words) {
      const one = prefixOf(list) + lexeme(word);
      if (word === "" || found.has(one)) continue;
      bytes += Buffer.byteLength(one) + 1;
      if (bytes > largest) return [...found];
      found.add(one);
    }
  return [...found];
}

/** A lexeme as a part of a query: in quotes it is no operator. */
export const lexemeQuery = (word: string, isPrefix = false): string =>
  `'${word.replace(/['\\]/g, "$&$&")}'${isPrefix ? ":*" : ""}`;
