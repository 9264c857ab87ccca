import type { ToolContext } from "@pergola/sdk";
import type { ReadSource } from "./read-sources.ts";
import { sentencesOf } from "./sentences.ts";
import { termsOf } from "./terms.ts";

export interface Evidence {
  readonly sentence: string;
  readonly source: ReadSource;
  readonly terms: ReadonlySet<string>;
  /** 0 to 1, how well it fits the question. */
  readonly score: number;
  readonly vector?: Float32Array | undefined;
}

type Candidate = Omit<Evidence, "score" | "terms"> & { readonly words: readonly string[] };

/** BM25's customary constants. */
const [saturation, lengthWeight] = [1.2, 0.75];
const mostCandidates = 60;
const batch = 20;

/** Okapi BM25 of each sentence, as a share of the best; 0 for one without a word of the question. */
function wordScores(candidates: readonly Candidate[], terms: readonly string[]): readonly number[] {
  const mean = candidates.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, candidates.length);
  const rarity = new Map(
    terms.map((term) => {
      const holding = candidates.filter(({ words }) => words.includes(term)).length;
      return [term, Math.log(1 + (candidates.length - holding + 0.5) / (holding + 0.5))];
    }),
  );
  const scores = candidates.map(({ words }) => {
    const damping = saturation * (1 - lengthWeight + lengthWeight * (words.length / mean));
    const share = (term: string, count: number): number =>
      ((rarity.get(term) ?? 0) * count * (saturation + 1)) / (count + damping);
    return terms.reduce((sum, term) => sum + share(term, words.filter((word) => word === term).length), 0);
  });
  const best = scores.reduce((most, score) => Math.max(most, score), Number.MIN_VALUE);
  return scores.map((score) => score / best);
}

/** Vectors of the question and of the sentences; none without an embedder, or when it fails. */
async function vectorsOf(context: ToolContext, texts: readonly string[]): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  try {
    for (let at = 0; at < texts.length; at += batch) {
      context.signal.throwIfAborted();
      vectors.push(...((await context.embed(texts.slice(at, at + batch))) ?? []));
    }
    if (vectors.length === texts.length) return vectors;
  } catch (error) {
    context.signal.throwIfAborted();
    context.log.warn({ error }, "The embedder failed; ranking by words alone.");
  }
  return [];
}

export const cosine = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

/** The best first. */
const byScore = (one: Pick<Evidence, "score">, other: Pick<Evidence, "score">): number =>
  other.score - one.score;

/**
 * The sentences of the sources that answer a question best, best first, at most 60: by its words, and half by
 * meaning where there is an embedder.
 */
export async function rankSentences(
  context: ToolContext,
  query: string,
  sources: readonly ReadSource[],
): Promise<readonly Evidence[]> {
  const terms = [...new Set(termsOf(query))];
  const candidates = sources.flatMap((source) =>
    sentencesOf(source.text).map((sentence) => ({ sentence, source, words: termsOf(sentence) })),
  );
  const scores = wordScores(candidates, terms);
  const best = candidates
    .map((candidate, at) => ({ ...candidate, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted(byScore)
    .slice(0, mostCandidates);
  if (best.length === 0) return [];
  const [target, ...vectors] = await vectorsOf(context, [query, ...best.map(({ sentence }) => sentence)]);
  const ranked = best.map(({ sentence, source, words, score }, at): Evidence => {
    const evidence = {
      sentence,
      source,
      terms: new Set(words),
      score,
      vector: vectors[at],
    };
    if (target === undefined || evidence.vector === undefined) return evidence;
    return { ...evidence, score: (score + Math.max(0, cosine(target, evidence.vector))) / 2 };
  });
  return ranked.toSorted(byScore);
}
