/** What a text tells by itself counts, beside about 1 for its words and 0.25 for its nearness. */
const weights = { opening: 0.3, asking: -0.25, detail: 0.2, time: 0.2 };

/** The share of a text's sentences that ask something. */
function askingShare(text: string): number {
  const sentences = text.match(/[^.?!]+[.?!]*/g) ?? [];
  return sentences.filter((sentence) => /\?\s*$/.test(sentence)).length / Math.max(1, sentences.length);
}

/** English questions about a time. */
const asksWhen =
  /\bwhen (?:did|do|does|is|was|were|will|has|had)\b|\bwhat (?:date|day|month|year)\b|\bhow long\b/i;

/** English words that tell a time, and years. */
const tellsTime = new RegExp(
  `\\b(?:${[
    "yesterday|today|tonight|tomorrow|ago|last|next|since|recently|just",
    "this (?:week|weekend|month|year|morning|spring|summer|autumn|fall|winter)",
    "(?:day|week|weekend|month|year)s?",
    "(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    "january|february|march|april|june|july|august|september|october|november|december",
    "(?:19|20)\\d\\d",
  ].join("|")})\\b`,
  "i",
);

/** Characters of a text of ordinary length. */
const ordinary = 100;

/** What a question is: its text, and the words that it is about. */
export interface AskedQuestion {
  readonly text: string;
  readonly terms: readonly string[];
}

/**
 * What a text tells by itself: each from 0 to 1, but `detail`, which grows with the logarithm of its length.
 */
export type TextFeatures = Readonly<Record<keyof typeof weights, number>>;

/** A text as a question finds it. */
export interface FoundText {
  readonly text: string;
  /** Its words. */
  readonly terms: readonly string[];
  /** What its words count: about 1 where it holds all words of the question. */
  readonly words: number;
}

export const textFeatures = (question: AskedQuestion, { text, terms, words }: FoundText): TextFeatures => ({
  opening: Number(question.terms.includes(terms[0] ?? "")),
  asking: askingShare(text),
  detail: Math.min(1, words) * Math.log(1 + text.length / ordinary),
  time: Number(asksWhen.test(question.text) && tellsTime.test(text)),
});

/**
 * How well a text can be the answer to a question, whatever else it holds: it begins with what the question
 * is about, does not ask itself, tells more than the words of the question, and tells a time where one is
 * asked for.
 */
export function rateText(question: AskedQuestion, found: FoundText): number {
  const features = textFeatures(question, found);
  return Object.entries(weights).reduce(
    (sum, [name, weight]) => sum + weight * features[name as keyof TextFeatures],
    0,
  );
}
