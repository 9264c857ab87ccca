const fold = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Characters of a preview, and how many of them stand before what was found. */
const [length, before] = [200, 40];

export interface Query {
  readonly words: readonly string[];
}

/** The words of a query; case and accents make no difference. */
export const queryOf = (text: string): Query => ({ words: fold(text).split(/\s+/).filter(Boolean) });

/** Whether the title and the text together hold every word; `inTitle` when the title alone does. */
export function match(
  { words }: Query,
  title: string,
  text: string,
): { readonly found: boolean; readonly inTitle: boolean } {
  const [foldedTitle, foldedText] = [fold(title), fold(text)];
  return {
    found: words.every((word) => foldedTitle.includes(word) || foldedText.includes(word)),
    inTitle: words.every((word) => foldedTitle.includes(word)),
  };
}

/** Up to 200 characters of a text on one line, from a little before the first word that is found. */
export function preview({ words }: Query, text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const folded = fold(line);
  const at = words.map((word) => folded.indexOf(word)).filter((index) => index >= 0);
  const [first = 0] = at.toSorted((a, b) => a - b);
  const from = Math.max(0, Math.min(first, line.length) - before);
  return [...line.slice(from, from + 2 * length).replace(/^[\uDC00-\uDFFF]/, "")].slice(0, length).join("");
}
