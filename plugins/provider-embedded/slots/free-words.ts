import { keyOf } from "../language/concepts.ts";
import { courtesyLength } from "../language/politeness.ts";
import { stopWords } from "../language/stop-words.ts";
import type { Mark } from "../marks/mark.ts";
import type { Phrase, Token } from "../phrase/phrase.ts";
import type { Cue } from "./learn-example.ts";
import type { Slot } from "./slot.ts";

const queryCues = new Set("for about that like where mention contain of".split(" "));
const leadWords = new Set("what where which who how when file files part place code project somewhere something spot bit function search find read show list think ask".split(" "));
const freeLead = new Set("me us you please to about for of on through with the a an that user person".split(" "));
const scopeWords = new Set("in under inside within below from of at the all my our every any to into on".split(" "));
const tail = /[\s,;]*(?:\b(?:please|for me|thanks|thank you|now|ok)\b)?[\s.!?,;:]*$/i;

/** Where the words end: before the place names that other slots took, and before closing courtesies. */
function endOf(phrase: Phrase, start: number, taken: readonly Mark[]): number {
  const mark = taken.find((each) => each.start >= start);
  const inside = phrase.words.filter((word) => word.start >= start && word.end <= (mark?.start ?? phrase.text.length));
  if (mark === undefined) return phrase.text.length;
  const keep = inside.findLastIndex(({ text }) => !scopeWords.has(text));
  return inside[keep]?.end ?? start;
}

const piece = (phrase: Phrase, start: number, taken: readonly Mark[]): string =>
  phrase.text.slice(start, endOf(phrase, start, taken)).replace(tail, "").replace(/^[\s:,;-]+/, "").trim();

/** The start of what the sentence is about: after courtesy, verb, question word and what the operation's own name says. */
function topicStart(phrase: Phrase, own: ReadonlySet<string>, slot: Slot): number {
  const from = courtesyLength(phrase.text);
  const skip = ({ word }: Token): boolean =>
    word !== undefined && (own.has(word.key) || (slot.role === "free" ? freeLead.has(word.text) : stopWords.has(word.text) || leadWords.has(word.text) || leadWords.has(word.key)));
  const tokens = phrase.tokens.filter(({ word, mark }) => (word ?? mark).start >= from);
  const topic = tokens.find((token) => !skip(token));
  return (topic?.word ?? topic?.mark)?.start ?? phrase.text.length;
}

/** The words after the cue that the examples or the usual prepositions give, else what is left of the sentence. "" when nothing is. */
export function freeWords(phrase: Phrase, slot: Slot, cues: readonly Cue[], taken: readonly Mark[], own: ReadonlySet<string>): string {
  const learned = new Set(cues.filter((cue) => cue.slot === slot.name && cue.kind !== "number").flatMap(({ before }) => before.slice(0, 1)));
  const cueWords = phrase.words.filter(({ key, text }) => (learned.has(key) && !key.startsWith("<")) || (slot.role === "query" && queryCues.has(text)));
  for (const { end } of cueWords) {
    const words = piece(phrase, end, taken);
    if (words.length > 2 && !stopWords.has(words.toLowerCase())) return words;
  }
  return piece(phrase, topicStart(phrase, own, slot), taken);
}

const reasons = [/\b(?:because(?: of)?|since|so that|due to|as)\s+(.+)$/i, /,\s*([^,]+)$/, /\b(?:for|to)\s+((?:the|finish|complete|do|my|our)\b.+)$/i];

/** Why, as far as the phrase says; the whole phrase when it does not. */
export function reasonIn({ text }: Phrase): string {
  const found = reasons.map((pattern) => pattern.exec(text)?.[1]).find((reason) => reason !== undefined);
  return (found ?? text).replace(tail, "");
}

export const isTopicWord = (word: string): boolean => !stopWords.has(word) && !leadWords.has(word) && !leadWords.has(keyOf(word));
