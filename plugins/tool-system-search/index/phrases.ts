/** Words of a question that are looked for. */
const most = 32;

/**
 * The words of a question, and what stands in quotation marks as one. With `stars`, a `*` at the end of a
 * word is kept.
 */
export const phrasesOf = (text: string, stars = false): readonly string[] =>
  [...text.matchAll(/["“„«]([^"”“»]*)["”“»]|[^\s"“”„«»]+/gu)]
    .map(([whole, inside]) => (inside ?? whole).trim())
    .map((phrase) => (stars ? phrase : phrase.replace(/\*+$/, "")))
    .filter((phrase) => phrase !== "")
    .slice(0, most);
