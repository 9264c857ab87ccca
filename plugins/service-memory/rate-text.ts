/** What a text tells by itself counts, beside at most 1.5 for its words and its nearness. */
const weights = { opening: 0.4, pairs: 0.1, fullness: 0.45, asking: -0.3 };

/** Terms from which on a text is no mere exclamation. */
const full = 16;

/** How far apart two words of the question may stand in a text and still belong together. */
const reach = 3;

/** The share of a text's sentences that ask something. */
function askingShare(text: string): number {
  const sentences = text.match(/[^.?!]+[.?!]*/g) ?? [];
  return sentences.filter((sentence) => /\?\s*$/.test(sentence)).length / Math.max(1, sentences.length);
}

/** The share of neighbouring words of the question that stand together in a text, in that order. */
function pairShare(question: readonly string[], text: readonly string[]): number {
  const pairs = question.slice(1).map((second, index) => [question[index]!, second] as const);
  const together = ([first, second]: readonly [string, string]): boolean =>
    text.some((term, at) => term === first && text.slice(at + 1, at + 1 + reach).includes(second));
  return pairs.filter(together).length / Math.max(1, pairs.length);
}

/** What a text tells by itself, each from 0 to 1. `terms` are its words. */
export type TextFeatures = Readonly<Record<keyof typeof weights, number>>;

export const textFeatures = (question: readonly string[], text: string, terms: readonly string[]): TextFeatures => ({
  opening: question.includes(terms[0] ?? "") ? 1 : 0,
  pairs: pairShare(question, terms),
  fullness: Math.min(1, terms.length / full),
  asking: askingShare(text),
});

/**
 * How well a text can be the answer to a question, whatever else it holds: it begins with what the question is about, holds its words side
 * by side, says something, and does not ask itself.
 */
export function rateText(question: readonly string[], text: string, terms: readonly string[]): number {
  const features = textFeatures(question, text, terms);
  return (Object.keys(weights) as (keyof typeof weights)[]).reduce((sum, name) => sum + weights[name] * features[name], 0);
}
