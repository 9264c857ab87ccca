/** What a text tells by itself counts, beside about 1 for its words and 0.25 for its nearness. */
const weights = { opening: 0.3, asking: -0.25 };

/** The share of a text's sentences that ask something. */
function askingShare(text: string): number {
  const sentences = text.match(/[^.?!]+[.?!]*/g) ?? [];
  return sentences.filter((sentence) => /\?\s*$/.test(sentence)).length / Math.max(1, sentences.length);
}

/** What a text tells by itself, each from 0 to 1. `terms` are its words. */
export type TextFeatures = Readonly<Record<keyof typeof weights, number>>;

export const textFeatures = (
  question: readonly string[],
  text: string,
  terms: readonly string[],
): TextFeatures => ({
  opening: Number(question.includes(terms[0] ?? "")),
  asking: askingShare(text),
});

/**
 * How well a text can be the answer to a question, whatever else it holds: it begins with what the question
 * is about, and does not ask itself.
 */
export function rateText(question: readonly string[], text: string, terms: readonly string[]): number {
  const { opening, asking } = textFeatures(question, text, terms);
  return weights.opening * opening + weights.asking * asking;
}
