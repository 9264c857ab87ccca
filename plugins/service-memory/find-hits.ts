import type { MemoryHit, MemoryQuery } from "@pergola/sdk";
import type { ItemIndex } from "./item-index.ts";
import { passes } from "./items.ts";
import { mergeHits, type Candidate } from "./merge-hits.ts";
import { itemOf, kinds as allKinds, partitionOf, type Records } from "./records.ts";
import { coverage, questionTerms, textOf } from "./terms.ts";
import type { Embedded } from "./vectors.ts";

/** Candidates whose items are read at a time; the first page is put in order anew, by how much of the question each item holds. */
const pageSize = 32;

/** What an item gains that holds all words of the question itself, beside at most 2 for rank and nearness. */
const coverageWeight = 0.6;

/** How many candidates are looked at: more where a filter will leave many of them out. */
const candidatesFor = (limit: number, { contentType, tag, origin, key }: MemoryQuery): number =>
  [contentType, tag, origin, key].some((condition) => condition !== undefined) ? Math.max(1000, 4 * limit) : Math.max(100, 4 * limit);

/** The items that answer a question, best first; `embedded` is the question's vector, if there is one. */
export async function findHits(
  records: Records,
  index: ItemIndex,
  query: MemoryQuery & { readonly scopes: readonly string[] },
  embedded: Embedded | undefined,
): Promise<readonly MemoryHit[]> {
  const { scopes, kinds = allKinds, limit = 10, threshold = 0.3 } = query;
  const partitions = kinds.flatMap((kind) => scopes.map((scope) => partitionOf(kind, scope)));
  const [terms, wanted] = [questionTerms(query.query), candidatesFor(limit, query)];
  const [words, near] = await Promise.all([
    index.words(partitions, terms, wanted),
    embedded?.index.query({ scopes: partitions, vector: embedded.vectors[0]!, limit: wanted }) ?? [],
  ]);
  const candidates = mergeHits(words, near);
  const hits: MemoryHit[] = [];
  for (let at = 0; at < candidates.length && hits.length < limit; at += pageSize) {
    const page = await rated(records, candidates.slice(at, at + pageSize), terms, embedded !== undefined);
    hits.push(...page.filter(({ item, similarity }) => passes(item, query) && similarity >= threshold));
  }
  return hits.slice(0, limit);
}

/** Some candidates with their items, best first. */
async function rated(
  records: Records,
  candidates: readonly Candidate[],
  terms: readonly string[],
  hasVectors: boolean,
): Promise<readonly MemoryHit[]> {
  const items = new Map((await records.items.find({ id: { in: candidates.map(({ id }) => id) } })).map((item) => [item.id, item]));
  return candidates
    .flatMap(({ id, score, cosine = 0 }) => {
      const item = items.get(id);
      if (item === undefined) return [];
      const share = coverage(terms, textOf(item));
      const similarity = hasVectors ? Math.min(1, Math.max(cosine, share ** 2)) : share;
      return [{ item: itemOf(item), similarity, score: score + coverageWeight * share }];
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ item, similarity }) => ({ item, similarity }));
}
