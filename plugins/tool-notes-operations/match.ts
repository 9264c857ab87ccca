const fold = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Characters of a preview, and how many of them stand before what was found. */
const [length, before] = [200, 40];

/** The words of a query; case and accents make no difference. */
export const queryWords = (text: string): readonly string[] => fold(text).split(/\s+/).filter(Boolean);

/** Whether the title and the text together hold every word; `inTitle` when the title alone does. */
export function match(
  words: readonly string[],
  title: string,
  text: string,
): { readonly found: boolean; readonly inTitle: boolean } {
  const foldedTitle = fold(title);
  const foldedText = fold(text);
  const missing = words.filter((word) => !foldedTitle.includes(word));
  return {
    found: missing.every((word) => foldedText.includes(word)),
    inTitle: missing.length === 0,
  };
}

/** Up to 200 characters of a text on one line, from a little before the first word that is found. */
export function preview(words: readonly string[], text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const folded = fold(line);
  const places = words.map((word) => folded.indexOf(word)).filter((index) => index >= 0);
  const [first = 0] = places.toSorted((a, b) => a - b);
  const from = Math.max(0, Math.min(first, line.length) - before);
  const piece = line.slice(from, from + 2 * length).replace(/^[\uDC00-\uDFFF]/, "");
  return [...piece].slice(0, length).join("");
}
