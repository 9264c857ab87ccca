/** Two characters of which the second goes on with a word: `re`, `Re`, `RE`. */
const sameWord = /^(?:[A-Za-z][a-z]|[A-Z]{2})$/;

/**
 * A word begins here: after something that is no letter, or at a capital inside a name. Other scripts have no
 * such borders.
 */
const beginsWord = (text: string, at: number): boolean =>
  at === 0 || !sameWord.test(text.slice(at - 1, at + 1));

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
