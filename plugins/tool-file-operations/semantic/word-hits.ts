const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isUpper = (code: number): boolean => code >= 65 && code <= 90;

/**
 * A word begins here: after something that is no letter, or at a capital inside a name. Other scripts have no
 * such borders.
 */
function beginsWord(text: string, at: number): boolean {
  const [before, here] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return at === 0 || !isLetter(before) || !isLetter(here) || (isUpper(here) && !isUpper(before));
}

/** How often words that begin with the term occur. `lower` is the text in lower case. */
function occurrences(text: string, lower: string, term: string): number {
  const aligned = lower.length === text.length;
  let count = 0;
  for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at + term.length))
    if (!aligned || beginsWord(text, at)) count += 1;
  return count;
}

/** For each term how often it occurs; undefined when none does. */
export function wordHits(text: string, terms: readonly string[]): readonly number[] | undefined {
  const lower = text.toLowerCase();
  if (!terms.some((term) => lower.includes(term))) return undefined;
  const hits = terms.map((term) => occurrences(text, lower, term));
  return hits.some((count) => count > 0) ? hits : undefined;
}
