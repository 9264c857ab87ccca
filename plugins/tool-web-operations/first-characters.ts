/** The text's first code points, and how many it has in all. */
export function firstCharacters(
  text: string,
  most: number,
): { readonly text: string; readonly length: number; readonly isCut: boolean } {
  let [length, end] = [0, text.length];
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
    if (length === most) end = at;
    length += 1;
  }
  return { text: text.slice(0, end), length, isCut: end < text.length };
}
