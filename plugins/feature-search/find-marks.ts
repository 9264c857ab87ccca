import type { TextTerm } from "@pergola/sdk/host";
import { termStandsAt } from "./text-scan.ts";
import { wordPlaces } from "./word-places.ts";

/** A place of a text where a term stands, in UTF-16 code units; the end is exclusive. */
export interface Found {
  readonly term: TextTerm;
  readonly start: number;
  readonly end: number;
}

/** More do not make a better snippet. */
const most = 500;

/** The first places where terms stand in a text, in the order of the text. */
export function findTerms(text: string, terms: readonly TextTerm[]): readonly Found[] {
  const places = wordPlaces(text);
  const words = places.map(({ word }) => word);
  const first = firstWords(terms);
  const found: Found[] = [];
  for (const [at, { word, start }] of places.entries()) {
    if (found.length >= most) break;
    for (const term of [...(first.whole.get(word) ?? []), ...first.open]) {
      if (!termStandsAt(words, at, term)) continue;
      found.push({ term, start, end: places[at + term.words.length - 1]?.end ?? start });
    }
  }
  return found;
}

/** Terms by their first word, and those whose first word may go on. */
function firstWords(terms: readonly TextTerm[]) {
  const whole = new Map<string, TextTerm[]>();
  const open: TextTerm[] = [];
  for (const term of terms) {
    const [word = "", ...more] = term.words;
    if (term.isPrefix === true && more.length === 0) open.push(term);
    else whole.set(word, [...(whole.get(word) ?? []), term]);
  }
  return { whole, open };
}
