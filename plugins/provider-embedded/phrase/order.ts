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
  /** Why the sentence is no plain order (a key of `objections`); undefined when nothing speaks against it. */
  readonly objection: string | undefined;
  /** The phrase without greeting and courtesy. */
  readonly start: number;
}

const prepositions = words("in at on inside into to for from before within");
const placeWords = words("the a an of end bottom top start beginning very line number file folder directory in at with by");

/** The tokens after a place that stands before the verb, as in `at the end of notes.txt, write …`. */
function afterPlace(tokens: readonly Token[]): readonly Token[] {
  const first = tokens[0]?.word;
  if (first === undefined || !prepositions.has(first.text)) return tokens;
  const verbAt = tokens.findIndex(({ word }, index) => index > 0 && word !== undefined && !placeWords.has(word.text));
  const hasMark = tokens.slice(0, verbAt).some(({ mark }) => mark !== undefined);
  return verbAt > 0 && hasMark ? tokens.slice(verbAt) : tokens;
}

export const questionWords = words("what what's whats which where who whose whom when why how");

const isOrderForm = ({ text }: Word, gerund: boolean): boolean =>
  !stopWords.has(text) && !questionWords.has(text) && !/(?<!e)ed$|[^s]s$/.test(text) && (gerund || !/ing$/.test(text) || text === "bring");

/** Reads off whether a phrase is an order, and what its verb is. */
export function readOrder(phrase: Phrase): Order {
  const start = courtesyLength(phrase.text);
  const courtesy = phrase.text.slice(0, start);
  const blanked = blankMarks(phrase.text, phrase.marks).slice(start);
  const tokens = afterPlace(phrase.tokens.filter(({ word, mark }) => (word ?? mark).start >= start));
  const first = tokens[0]?.word;
  const verb = first !== undefined && isOrderForm(first, /\bmind\s+$/i.test(courtesy)) ? first : undefined;
  const asked = /\?\s*$/.test(blanked) && !/\b(?:you|mind)\b/i.test(courtesy) ? "question" : undefined;
  const objection = Object.entries(objections).find(([, pattern]) => pattern.test(blanked))?.[0] ?? asked;
  return { verb, objection, start };
}

/** True for a phrase that begins like an order to somebody, whatever it is about. */
export const soundsLikeOrder = (order: Order): boolean => order.verb !== undefined && isAction(order.verb.text);
