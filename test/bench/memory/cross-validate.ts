import { retrievalOf, type Found, type Retrieval } from "./retrieval.ts";

/** A question with its candidates: what each of them has of every feature, and whether it is right. */
export interface Ranked {
  readonly candidates: readonly { readonly features: readonly number[]; readonly right: boolean }[];
}

const [steps, rate, decay] = [120, 0.2, 1e-3];

const scoreOf = (weights: readonly number[], features: readonly number[]): number =>
  features.reduce((sum, value, index) => sum + value * weights[index]!, 0);

/**
 * How the loss of a question (minus the logarithm of what a softmax over its candidates gives to the right
 * ones) changes with the weights.
 */
function gradientOf({ candidates }: Ranked, weights: readonly number[]): readonly number[] {
  const powers = candidates.map(({ features }) => Math.exp(scoreOf(weights, features)));
  const all = powers.reduce((sum, power) => sum + power, 0);
  const right = powers.reduce((sum, power, index) => sum + (candidates[index]!.right ? power : 0), 0);
  return weights.map((_, feature) =>
    candidates.reduce((sum, { features, right: isRight }, index) => {
      const power = powers[index]!;
      return sum + features[feature]! * (power / all - (isRight ? power / right : 0));
    }, 0),
  );
}

/** Weights that put the right candidates first, by Adam (Kingma and Ba, 2015). */
export function fit(questions: readonly Ranked[], size: number): readonly number[] {
  const answerable = questions.filter(({ candidates }) => candidates.some(({ right }) => right));
  let weights = Array.from({ length: size }, () => 0);
  const [first, second] = [weights.slice(), weights.slice()];
  for (let step = 1; step <= steps; step++) {
    const gradients = answerable.map((question) => gradientOf(question, weights));
    weights = weights.map((weight, index) => {
      const gradient =
        gradients.reduce((sum, one) => sum + one[index]!, 0) / answerable.length + decay * weight;
      first[index] = 0.9 * first[index]! + 0.1 * gradient;
      second[index] = 0.99 * second[index]! + 0.01 * gradient ** 2;
      const [mean, variance] = [first[index] / (1 - 0.9 ** step), second[index] / (1 - 0.99 ** step)];
      return weight - (rate * mean) / (Math.sqrt(variance) + 1e-8);
    });
  }
  return weights;
}

function foundBy({ candidates }: Ranked, weights: readonly number[]): Found {
  const order = candidates.map(({ features, right }, index) => ({
    id: String(index),
    right,
    score: scoreOf(weights, features),
  }));
  const sorted = order.toSorted((a, b) => b.score - a.score);
  return {
    ids: sorted.slice(0, 10).map(({ id }) => id),
    right: new Set(sorted.filter(({ right }) => right).map(({ id }) => id)),
    characters: 0,
    milliseconds: 0,
  };
}

/** Each part's questions ranked with the weights that were fitted to all other parts. */
export function crossValidated(parts: readonly (readonly Ranked[])[]): Retrieval {
  const size = parts[0]![0]!.candidates[0]!.features.length;
  return retrievalOf(
    parts.flatMap((part, left) => {
      const weights = fit(parts.filter((_, index) => index !== left).flat(), size);
      return part.map((question) => foundBy(question, weights));
    }),
  );
}
