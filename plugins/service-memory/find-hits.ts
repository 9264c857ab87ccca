import type { MemoryHit, MemoryQuery } from "@pergola/sdk";
import { arrangeHits, type RatedHit } from "./arrange-hits.ts";
import type { ItemIndex } from "./item-index.ts";
import { passes } from "./items.ts";
import { mergeHits, type Candidate } from "./merge-hits.ts";
import { rateItem } from "./rate-item.ts";
import { rateText } from "./rate-text.ts";
import { itemOf, kinds as allKinds, partitionOf, type Records } from "./records.ts";
import { coverage, questionTerms, termsBeside, textOf } from "./terms.ts";
import type { Embedded } from "./vectors.ts";

/** Candidates whose items are read at a time; the first page is put in order anew, by what its texts tell. */
const pageSize = 64;

/** How many candidates are looked at: more where a filter will leave many of them out. */
const candidatesFor = (limit: number, { contentType, tag, origin, key }: MemoryQuery): number =>
  [contentType, tag, origin, key].some((condition) => condition !== undefined)
    ? Math.max(1000, 4 * limit)
    : Math.max(60, 4 * limit);

interface Search {
  readonly records: Records;
  readonly index: ItemIndex;
  readonly now: number;
}

/** The items that answer a question, best first; `embedded` is the question's vector, if there is one. */
export async function findHits(
  { records, index, now }: Search,
  query: MemoryQuery & { readonly scopes: readonly string[] },
  embedded: Embedded | undefined,
): Promise<readonly MemoryHit[]> {
  const { scopes, kinds = allKinds, limit = 10, threshold = 0.3 } = query;
  const partitions = kinds.flatMap((kind) => scopes.map((scope) => partitionOf(kind, scope)));
  const [terms, wanted] = [questionTerms(query.query), candidatesFor(limit, query)];
  const [words, near] = await Promise.all([
    index.words(partitions, terms, wanted),
    embedded?.index.query({
      scopes: partitions,
      vector: embedded.vectors[0]!,
      limit: wanted,
    }) ?? [],
  ]);
  const candidates = mergeHits(words, near);
  const hits: RatedHit[] = [];
  for (let at = 0; at < candidates.length && hits.length < limit; at += pageSize) {
    const page = await rated(records, candidates.slice(at, at + pageSize), {
      terms,
      hasVectors: embedded !== undefined,
      now,
    });
    hits.push(...page.filter(({ item, similarity }) => passes(item, query) && similarity >= threshold));
  }
  return arrangeHits(hits.slice(0, 2 * limit)).slice(0, limit);
}

interface Question {
  readonly terms: readonly string[];
  readonly hasVectors: boolean;
  readonly now: number;
}

/** Some candidates with their items, best first. */
async function rated(
  records: Records,
  candidates: readonly Candidate[],
  { terms, hasVectors, now }: Question,
): Promise<readonly RatedHit[]> {
  const ids = candidates.map(({ id }) => id);
  const found = await records.items.find({ id: { in: ids } });
  const items = new Map(found.map((item) => [item.id, item]));
  const known = candidates.flatMap((candidate) => {
    const item = items.get(candidate.id);
    if (item === undefined) return [];
    const text = textOf(item);
    const held = termsBeside(terms, text);
    return [{ ...candidate, item, text, held, share: coverage(terms, held) }];
  });
  return known
    .map(({ item, text, held, share, words, score, cosine = 0 }) => {
      const fit = share === 0 ? 0 : Math.max(share, words);
      const similarity = Math.min(1, hasVectors ? Math.max(cosine, fit ** 2) : fit);
      return {
        item: itemOf(item),
        similarity,
        score: score + rateText(terms, text, held) + rateItem(item, now),
      };
    })
    .toSorted((a, b) => b.score - a.score);
}
