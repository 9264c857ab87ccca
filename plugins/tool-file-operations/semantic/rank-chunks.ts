import type { ToolContext } from "@pergola/sdk";
import type { KnownChunk } from "./collect-chunks.ts";
import { similarities } from "./similarities.ts";
import { wordScores } from "./word-scores.ts";

const wordCandidates = 120;
const allCandidates = 240;
const mostPerFile = 3;
const unrelated = 0.15;
const span = 0.6;
const wordsAlone = 0.7;
const leastSimilarity = 0.3;

export interface RankedChunk {
  readonly chunk: KnownChunk;
  /** 0 to 1. */
  readonly relevance: number;
}

/** Those with the best words, then the beginnings of other files, which may fit by meaning alone. */
function candidatesOf(
  chunks: readonly KnownChunk[],
  scores: ReadonlyMap<KnownChunk, number>,
): readonly KnownChunk[] {
  const withWords = chunks
    .filter((chunk) => chunk.hits !== undefined)
    .sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
  const chosen = withWords.slice(0, wordCandidates);
  const seen = new Set(chosen.map(({ path }) => path));
  const beginnings = chunks.filter(({ path, index }) => index === 0 && !seen.has(path));
  const others = chunks.filter(({ path, index, hits }) => index > 0 && !seen.has(path) && hits === undefined);
  return [...chosen, ...beginnings, ...others].slice(0, allCandidates);
}

/**
 * Words and meaning each raise the relevance on their own: 1 − (1 − meaning) · (1 − 0.7 · words). Without an
 * embedder words count alone.
 */
function relevanceOf(words: number, similarity: number | undefined): number {
  if (similarity === undefined) return words;
  const meaning = Math.min(1, Math.max(0, (similarity - unrelated) / span));
  return 1 - (1 - meaning) * (1 - wordsAlone * words);
}

function fewPerFile(ranked: readonly RankedChunk[]): readonly RankedChunk[] {
  const counts = new Map<string, number>();
  return ranked.filter(({ chunk }) => {
    const count = (counts.get(chunk.path) ?? 0) + 1;
    counts.set(chunk.path, count);
    return count <= mostPerFile;
  });
}

interface Ranking {
  readonly ranked: readonly RankedChunk[];
  readonly byMeaning: boolean;
}

/** The chunks that fit the query, best first, at most three of a file. */
export async function rankChunks(
  context: ToolContext,
  query: string,
  terms: readonly string[],
  chunks: readonly KnownChunk[],
): Promise<Ranking> {
  const words = wordScores(chunks, terms);
  const scores = new Map(chunks.map((chunk, index) => [chunk, words[index] ?? 0]));
  const candidates = candidatesOf(chunks, scores);
  const similar = await similarities(context, query, candidates);
  const fits = (chunk: KnownChunk) =>
    chunk.hits !== undefined || (similar?.get(chunk) ?? 0) >= leastSimilarity;
  const ranked = candidates
    .filter(fits)
    .map((chunk) => ({ chunk, relevance: relevanceOf(scores.get(chunk) ?? 0, similar?.get(chunk)) }))
    .sort((a, b) => b.relevance - a.relevance);
  return { ranked: fewPerFile(ranked), byMeaning: similar !== undefined };
}
