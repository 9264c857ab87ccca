import { searchWords, type MemoryItem } from "@pergola/sdk";
import { stemmer } from "stemmer";

/** English words that hardly tell one text from another; a question is asked without them. */
const stopWords = new Set(
  (
    "a about above after again all also am an and any are as at be because been before being below " +
    "between both but by can could did do does doing down during each few for from further had has " +
    "have having he her here hers him his how i if in into is it its itself just me more most my no " +
    "nor not now of off on once only or other our out over own please same she should so some such " +
    "tell than that the their them then there these they this those through to too under until up us " +
    "very was we were what when where which while who whom why will with would you your d ll m re s t " +
    "ve"
  ).split(" "),
);

const isLatin = /^[a-z]+$/;

/** Of the words that were met last; the same few thousand come again and again. */
const knownStems = new Map<string, string>();
const mostStems = 5000;

function stem(word: string): string {
  const known = knownStems.get(word);
  if (known !== undefined) return known;
  const made = isLatin.test(word) ? stemmer(word) : word;
  if (knownStems.size >= mostStems) knownStems.clear();
  knownStems.set(word, made);
  return made;
}

/**
 * The words of a text as the indexes hold them: forms of one word are the same (Porter, 1980), on every
 * storage backend.
 */
export const termsOf = (text: string): readonly string[] => searchWords(text).map(stem);

/** The words that a question is about; all of its words when it has no others. */
export function questionTerms(question: string): readonly string[] {
  let words = topicTerms(question);
  if (words.length === 0) words = searchWords(question);
  return [...new Set(words.map(stem))];
}

/** The words that a text is about. */
export const topicTerms = (text: string): readonly string[] =>
  searchWords(text).filter((word) => !stopWords.has(word));

/** All that an item says of itself. */
export const textOf = ({
  key,
  content,
  tags,
  context,
}: Pick<MemoryItem, "key" | "content" | "tags" | "context">): string =>
  [key, content, tags.join(" "), context].filter(Boolean).join("\n");

/**
 * The words of a text in the form in which those of a question would be; words that begin with other letters
 * stay as they are.
 */
export function termsBeside(question: readonly string[], text: string): readonly string[] {
  const initials = new Set(question.map(([initial]) => initial));
  return searchWords(text).map((word) => {
    if (initials.has(word[0])) return stem(word);
    return word;
  });
}

/** The share of the question's words that are among those of a text, 0 to 1. */
export function coverage(question: readonly string[], terms: readonly string[]): number {
  const known = new Set(terms);
  if (question.length === 0) return 0;
  return question.filter((term) => known.has(term)).length / question.length;
}

/** The share of the words that a text is about which are the question's, 0 to 1. */
export const focus = (question: readonly string[], text: string): number =>
  coverage([...new Set(topicTerms(text).map(stem))], question);
