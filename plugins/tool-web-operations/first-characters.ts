/** Two UTF-16 units that make one code point. */
const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/** The text's first code points, and how many it has in all. */
export function firstCharacters(
  text: string,
  most: number,
): { readonly text: string; readonly length: number; readonly isCut: boolean } {
  const length = text.length - (text.match(pairs)?.length ?? 0);
  const first =
    length > most
      ? Array.from(text.slice(0, 2 * most))
          .slice(0, most)
          .join("")
      : text;
  return { text: first, length, isCut: length > most };
}
