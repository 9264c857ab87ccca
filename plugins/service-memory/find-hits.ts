import type { MemoryHit, MemoryQuery } from "@pergola/sdk";
import { arrangeHits, type RatedHit } from "./arrange-hits.ts";
import { batchesOf } from "./batches.ts";
import type { ItemIndex } from "./item-index.ts";
import { passes } from "./items.ts";
import type { Candidate } from "./merge-hits.ts";
import { rateItem } from "./rate-item.ts";
import { rateText, type AskedQuestion } from "./rate-text.ts";
import { itemOf, kinds as allKinds, partitionOf, type Records, type StoredItem } from "./records.ts";
import { searchCandidates } from "./search-candidates.ts";
import { coverage, focus, questionTerms, termsBeside, textOf } from "./terms.ts";
import type { Embedded } from "./vectors.ts";

/** Candidates whose items are read at a time; the first page is put in order anew, by what its texts tell. */
const pageSize = 64;

/** How many candidates are looked at: more where a filter will leave many of them out. */
function candidatesFor(limit: number, { contentType, tag, origin, key }: MemoryQuery): number {
  const isFiltered = [contentType, tag, origin, key].some((condition) => condition !== undefined);
  if (isFiltered) return Math.max(1000, 4 * limit);
  return Math.max(60, 4 * limit);
}

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
  const terms = questionTerms(query.query);
  const candidates = await searchCandidates(index.words, embedded, {
    scopes: partitions,
    terms,
    limit: candidatesFor(limit, query),
  });
  const question = { text: query.query, terms, hasVectors: embedded !== undefined, now };
  const hits: RatedHit[] = [];
  for (const page of batchesOf(candidates, pageSize)) {
    if (hits.length >= limit) break;
    const found = await rated(records, page, question);
    hits.push(...found.filter(({ item, similarity }) => passes(item, query) && similarity >= threshold));
  }
  return arrangeHits(hits.slice(0, 2 * limit)).slice(0, limit);
}

interface Question extends AskedQuestion {
  readonly hasVectors: boolean;
  readonly now: number;
}

/** Some candidates with their items, best first. */
async function rated(
  records: Records,
  candidates: readonly Candidate[],
  question: Question,
): Promise<readonly RatedHit[]> {
  const ids = candidates.map(({ id }) => id);
  const found = await records.items.find({ id: { in: ids } });
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  return found
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .map((item) => rate(item, byId.get(item.id)!, question))
    .toSorted((a, b) => b.score - a.score);
}

function rate(item: StoredItem, candidate: Candidate, question: Question): RatedHit {
  const { terms, hasVectors, now } = question;
  const { words, score, cosine = 0 } = candidate;
  const text = textOf(item);
  const itemTerms = termsBeside(terms, text);
  const share = coverage(terms, itemTerms);
  let similarity = 0;
  if (share > 0) similarity = Math.max(share, words);
  if (hasVectors) similarity **= 2;
  similarity = Math.max(cosine, weighed(Math.min(1, similarity), focus(terms, text)));
  return {
    item: itemOf(item),
    similarity: Math.min(1, similarity),
    score: score + rateText(question, { text, terms: itemTerms, words }) + rateItem(item, now),
  };
}

/** Up to here a hit is weak, and loses nothing for all the other things its text speaks of. */
const weak = 0.3;
/** What a text that holds all words of the question may lose. */
const mostLost = 0.25;

/**
 * A text that holds a word is not for that reason the same as it: the more a text speaks of other things, the
 * less it is like the question. `share` is what it says of the question.
 */
const weighed = (similarity: number, share: number): number =>
  similarity - (mostLost * (1 - share) * Math.max(0, similarity - weak)) / (1 - weak);
