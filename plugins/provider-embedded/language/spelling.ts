import { isKnown, knownWords } from "./concepts.ts";
import { words } from "./words.ts";

/** Words of their own that lie one slip away from a word of the router. */
const innocent: ReadonlySet<string> = words("crate white quite ready tread creator");

/** One slip of the fingers: two letters swapped, one left out, or one too many; the first letter is right. */
function isSlip(typed: string, word: string): boolean {
  if (typed[0] !== word[0] || typed === word) return false;
  if (typed.length === word.length) return isSwap(typed, word);
  const [short, long] = typed.length < word.length ? [typed, word] : [word, typed];
  if (long.length - short.length !== 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  return short.slice(at) === long.slice(at + 1);
}

function isSwap(typed: string, word: string): boolean {
  let at = 0;
  while (typed[at] === word[at]) at++;
  return (
    typed[at] === word[at + 1] && typed[at + 1] === word[at] && typed.slice(at + 2) === word.slice(at + 2)
  );
}

/**
 * The router's word that was meant, when exactly one is a slip away from an unknown word; the word itself
 * otherwise.
 */
export function correct(typed: string): string {
  if (typed.length < 4 || isKnown(typed) || innocent.has(typed)) return typed;
  const near = knownWords.filter(
    (word) => isSlip(typed, word) && (typed.length > 4 || word.length === typed.length),
  );
  return near.length === 1 ? (near[0] ?? typed) : typed;
}
