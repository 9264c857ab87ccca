import { isKnown } from "../language/concepts.ts";
import { courtesyLength } from "../language/politeness.ts";
import { stopWords } from "../language/stop-words.ts";
import { words } from "../language/words.ts";
import type { Mark } from "../marks/mark.ts";
import type { Phrase, Token } from "../phrase/phrase.ts";
import type { Cue } from "./learn-example.ts";
import type { Slot } from "./slot.ts";

const queryCues = words("for about that like where mention contain of");
const queryLead = words(
  "what where which who how when file files part place code project somewhere something spot bit function search find",
  "read show list think ask",
);
const freeLead = words("me us you please to about for of on through with the a an that user person");
const scopeWords = words("in under inside within below from of at the all my our every any to into on");
const tail = /(?<![\s,;.!?:])[\s,;.!?:]*(?:\b(?:please|for me|thanks|thank you|now|ok)\b[\s.!?,;:]*)?$/i;

/** Where the words end: before the place names that other slots took. */
function endOf(phrase: Phrase, start: number, taken: readonly Mark[]): number {
  const mark = taken.find((each) => each.start >= start);
  if (mark === undefined) return phrase.text.length;
  const inside = phrase.words.filter((word) => word.start >= start && word.end <= mark.start);
  return inside.findLast(({ text }) => !scopeWords.has(text))?.end ?? start;
}

const piece = (phrase: Phrase, start: number, taken: readonly Mark[]): string =>
  phrase.text
    .slice(start, endOf(phrase, start, taken))
    .replace(tail, "")
    .replace(/^[\s:,;-]+/, "")
    .trim();

/**
 * The start of what the sentence is about: after courtesy, verb, question word and what the operation's own
 * name says.
 */
function topicStart(phrase: Phrase, { role }: Slot, own: ReadonlySet<string>): number {
  const from = courtesyLength(phrase.text);
  const isLead = ({ text, key }: { readonly text: string; readonly key: string }): boolean =>
    own.has(key) ||
    (role === "free" ? freeLead.has(text) : stopWords.has(text) || queryLead.has(text) || queryLead.has(key));
  const isTopic = ({ word, mark }: Token): boolean =>
    (word ?? mark).start >= from && (word === undefined || !isLead(word));
  const topic = phrase.tokens.find(isTopic);
  return (topic?.word ?? topic?.mark)?.start ?? phrase.text.length;
}

const learnedCues = (cues: readonly Cue[], { name }: Slot, bareOnly: boolean): ReadonlySet<string> =>
  new Set(
    cues
      .filter(({ slot, kind }) => slot === name && (bareOnly ? kind === "words" : kind !== "number"))
      .flatMap(({ before }) => before.slice(0, 1)),
  );

function wordsAfter(
  phrase: Phrase,
  isCue: (word: { readonly key: string; readonly text: string }) => boolean,
  taken: readonly Mark[],
): string {
  const found = phrase.words.filter(isCue).map(({ end }) => piece(phrase, end, taken));
  return found.find((words) => words.length > 2 && !stopWords.has(words.toLowerCase())) ?? "";
}

/** The words after a cue that the examples give. "" when there is none. */
export function cuedWords(phrase: Phrase, slot: Slot, cues: readonly Cue[], taken: readonly Mark[]): string {
  const learned = learnedCues(cues, slot, true);
  return wordsAfter(phrase, ({ key }) => learned.has(key), taken);
}

/**
 * The words after the cue that the examples or the usual prepositions give, else what is left of the
 * sentence. "" when nothing is.
 */
export function freeWords(
  phrase: Phrase,
  slot: Slot,
  cues: readonly Cue[],
  taken: readonly Mark[],
  own: ReadonlySet<string>,
): string {
  const learned = learnedCues(cues, slot, false);
  const cued = wordsAfter(
    phrase,
    ({ key, text }) => learned.has(key) || (slot.role === "query" && queryCues.has(text)),
    taken,
  );
  if (cued !== "") return cued;
  const rest = piece(phrase, topicStart(phrase, slot, own), taken);
  const isIdle = slot.role === "query" && (isKnown(rest.toLowerCase()) || stopWords.has(rest.toLowerCase()));
  return isIdle ? "" : rest;
}

const reasons = [
  /\b(?:because(?: of)?|since|so that|due to|as)\s+(.+)$/i,
  /,\s*([^,]+)$/,
  /\b(?:for|to)\s+((?:the|finish|complete|do|my|our)\b.+)$/i,
];

/** Why, as far as the phrase says; the whole phrase when it does not. */
export function reasonIn({ text }: Phrase): string {
  const found = reasons.map((pattern) => pattern.exec(text)?.[1]).find((reason) => reason !== undefined);
  return (found ?? text).replace(tail, "");
}
