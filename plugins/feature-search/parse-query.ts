import type { TextTerm } from "@pergola/sdk/host";
import { wordPlaces } from "./word-places.ts";

/** How many terms, and words of a phrase, are looked at: what more is said hardly tells messages apart. */
const most = 64;

const quotes = /[“”„«»]/g;
const pieces = /"([^"]*)"?|([^\s"]+)/g;
const openEnd = /[\p{L}\p{N}\p{M}]\*$/u;

/**
 * Words, `"phrases"` and beginnings of words (`word*`), each once. Other signs part words; what they part
 * without a space between is looked for side by side. A quotation mark without its other half ends with the
 * text.
 */
export function parseQuery(q: string): readonly TextTerm[] {
  const terms = new Map<string, TextTerm>();
  for (const [, phrase, piece = ""] of q.replace(quotes, '"').matchAll(pieces)) {
    const all = wordPlaces(phrase ?? piece).map(({ word }) => word);
    const words = all.slice(0, most);
    if (words.length === 0) continue;
    const term = { words, ...(openEnd.test(piece) && words.length === all.length && { isPrefix: true }) };
    terms.set(JSON.stringify(term), term);
    if (terms.size === most) break;
  }
  return [...terms.values()];
}
