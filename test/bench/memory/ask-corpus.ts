import { mergeHits } from "../../../plugins/service-memory/merge-hits.ts";
import { textFeatures } from "../../../plugins/service-memory/rate-text.ts";
import { questionTerms, termsBeside, textOf } from "../../../plugins/service-memory/terms.ts";
import type { Corpus, Embed, Question } from "./corpus.ts";
import type { Ranked } from "./cross-validate.ts";
import { openCorpus, scope, type OpenCorpus, type StorageType } from "./open-corpus.ts";
import type { Found } from "./retrieval.ts";

export const ways = ["words", "vectors", "merged", "merged, threshold 0.3"] as const;
export type Way = (typeof ways)[number];

/**
 * What the questions of a corpus found, in each way, and their candidates for a ranking with other weights,
 * where they were wanted.
 */
export interface Asked {
  readonly found: Readonly<Record<Way, readonly Found[]>>;
  readonly ranked: readonly Ranked[];
}

const partitions = [`memory:${scope}`];

/** How many candidates of each kind are ranked: as many as the service takes for ten hits. */
const [candidates, page] = [60, 64];

type Hits = Pick<Found, "ids" | "characters">;

async function search({ memory }: OpenCorpus, query: string, threshold: number): Promise<Hits> {
  const hits = await memory.search({ query, scopes: [scope], threshold, limit: 10 });
  return {
    ids: hits.map(({ item }) => item.id),
    characters: hits.reduce((sum, { item }) => sum + item.content.length, 0),
  };
}

async function nearest({ near }: OpenCorpus, vector: Float32Array): Promise<Hits> {
  return {
    ids: (await near.query({ scopes: partitions, vector, limit: 10 })).map(({ id }) => id),
    characters: 0,
  };
}

async function rankedFor(
  { words, near, memory }: OpenCorpus,
  query: string,
  vector: Float32Array,
  right: ReadonlySet<string>,
): Promise<Ranked> {
  const terms = questionTerms(query);
  const found = await Promise.all([
    words.query({ scopes: partitions, text: terms.join(" "), limit: candidates }),
    near.query({ scopes: partitions, vector, limit: candidates }),
  ]);
  const merged = mergeHits(...found).slice(0, page);
  return {
    candidates: await Promise.all(
      merged.map(async ({ id, words: own, nearness }) => {
        const text = textOf(await memory.get(id));
        const found = { text, terms: termsBeside(terms, text), words: own };
        const features = textFeatures({ text: query, terms }, found);
        return { features: [own, nearness, ...Object.values(features)], right: right.has(id) };
      }),
    ),
  };
}

async function askAll(
  corpus: OpenCorpus,
  questions: readonly Question[],
  ask: (query: string) => Promise<Hits>,
): Promise<readonly Found[]> {
  const all: Found[] = [];
  for (const { text, right, category } of questions) {
    const begun = performance.now();
    const hits = await ask(text);
    all.push({ ...hits, milliseconds: performance.now() - begun, right: rightOf(corpus, right), category });
  }
  return all;
}

const rightOf = ({ ids }: OpenCorpus, right: readonly number[]): ReadonlySet<string> =>
  new Set(right.map((index) => ids[index]!));

/**
 * Stores a corpus in a storage, and asks its questions in each way. The vectors of questions are made before
 * they are asked.
 */
export async function askCorpus(
  corpus: Corpus,
  embed: Embed,
  type: StorageType,
  rank: boolean,
): Promise<Asked> {
  const opened = await openCorpus(corpus, embed, type);
  const { questions } = corpus;
  try {
    await embed(questions.map(({ text }) => text));
    const vectorOf = async (query: string): Promise<Float32Array> => (await embed([query]))[0]!;
    opened.useVectors(false);
    const words = await askAll(opened, questions, (query) => search(opened, query, 0));
    opened.useVectors(true);
    const vectors = await askAll(opened, questions, async (query) => nearest(opened, await vectorOf(query)));
    const merged = await askAll(opened, questions, (query) => search(opened, query, 0));
    const above = await askAll(opened, questions, (query) => search(opened, query, 0.3));
    const ranked: Ranked[] = [];
    for (const { text, right } of rank ? questions : [])
      ranked.push(await rankedFor(opened, text, await vectorOf(text), rightOf(opened, right)));
    return { found: { words, vectors, merged, "merged, threshold 0.3": above }, ranked };
  } finally {
    await opened.close();
  }
}
