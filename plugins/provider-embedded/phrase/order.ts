import { isAction } from "../language/actions.ts";
import { objections } from "../language/objections.ts";
import { courtesyLength } from "../language/politeness.ts";
import { stopWords } from "../language/stop-words.ts";
import { words } from "../language/words.ts";
import { blankMarks } from "./fold-expressions.ts";
import type { Phrase, Token, Word } from "./phrase.ts";

/** How plainly a phrase tells somebody to do something. */
export interface Order {
  /** The verb that leads the sentence in the form of an order. */
  readonly verb: Word | undefined;
  /**
   * Why the sentence is no plain order (keys of `objections`), in their order; empty when nothing speaks
   * against it.
   */
  readonly objections: readonly string[];
  /** The phrase without greeting and courtesy. */
  readonly start: number;
}

const prepositions = words("in at on inside into to for from before within");
const placeWords = words(
  "the a an of end bottom top start beginning very line number file folder directory in at with by",
);

/** The tokens after a place that stands before the verb, as in `at the end of notes.txt, write …`. */
function afterPlace(tokens: readonly Token[]): readonly Token[] {
  const first = tokens[0]?.word;
  if (first === undefined || !prepositions.has(first.text)) return tokens;
  const verbAt = tokens.findIndex(
    ({ word }, index) => index > 0 && word !== undefined && !placeWords.has(word.text),
  );
  const hasMark = tokens.slice(0, verbAt).some(({ mark }) => mark !== undefined);
  return verbAt > 0 && hasMark ? tokens.slice(verbAt) : tokens;
}

export const questionWords = words("what what's whats which where who whose whom when why how");

const isOrderForm = ({ text }: Word, gerund: boolean): boolean =>
  !stopWords.has(text) &&
  !questionWords.has(text) &&
  !/(?<!e)ed$|[^s]s$/.test(text) &&
  (gerund || !/ing$/.test(text) || text === "bring");

interface Span {
  readonly start: number;
  readonly end: number;
}

/** `can you make presentations?`: what things in general, not these. */
const ability =
  /^[a-z]+ (?!(?:all|any|my|our|the|these|those|this|some|me|us|every|its|his|her)\b)(?:[a-z]+ )?[a-z]+s\s*\??\s*$/i;

function askedIn(blanked: string, courtesy: string): readonly string[] {
  if (!/\b(?:you|mind)\b/i.test(courtesy)) return /\?\s*$/.test(blanked) ? ["question"] : [];
  return /\bcan you\s*$/i.test(courtesy) && ability.test(blanked) ? ["ability"] : [];
}

/**
 * Reads off whether a phrase is an order, and what its verb is. Nothing in the places of `quoted` words
 * speaks against it.
 */
export function readOrder(phrase: Phrase, quoted: readonly Span[] = []): Order {
  const start = courtesyLength(phrase.text);
  const courtesy = phrase.text.slice(0, start);
  const blanked = blankMarks(phrase.text, [...phrase.marks, ...quoted]).slice(start);
  const tokens = afterPlace(phrase.tokens.filter(({ word, mark }) => (word ?? mark).start >= start));
  const first = tokens[0]?.word;
  const verb = first !== undefined && isOrderForm(first, /\bmind\s+$/i.test(courtesy)) ? first : undefined;
  const found = Object.entries(objections).flatMap(([name, pattern]) =>
    pattern.test(blanked) ? [name] : [],
  );
  const more = found.includes("question") ? [] : askedIn(blanked, courtesy);
  return { verb, objections: [...found, ...more], start };
}

/** True for a phrase that begins like an order to somebody, whatever it is about. */
export const soundsLikeOrder = (order: Order): boolean =>
  order.verb !== undefined && isAction(order.verb.text);
