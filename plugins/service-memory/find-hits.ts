import type { MemoryHit, MemoryQuery } from "@pergola/sdk";
import type { ItemIndex } from "./item-index.ts";
import { passes } from "./items.ts";
import { mergeHits, type Candidate } from "./merge-hits.ts";
import { itemOf, kinds as allKinds, partitionOf, type Records } from "./records.ts";
import { coverage, questionTerms, textOf } from "./terms.ts";
import type { Embedded } from "./vectors.ts";

const pageSize = 32;

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
  const similarityOf = ({ cosine = 0 }: Candidate, text: string): number => {
    const share = coverage(terms, text);
    return embedded === undefined ? share : Math.min(1, Math.max(cosine, share ** 2));
  };
  const candidates = mergeHits(words, near);
  const hits: MemoryHit[] = [];
  for (let at = 0; at < candidates.length && hits.length < limit; at += pageSize) {
    const page = candidates.slice(at, at + pageSize);
    const found = new Map((await records.items.find({ id: { in: page.map(({ id }) => id) } })).map((item) => [item.id, item]));
    for (const candidate of page) {
      const item = found.get(candidate.id);
      if (item === undefined || !passes(item, query)) continue;
      const similarity = similarityOf(candidate, textOf(item));
      if (similarity >= threshold) hits.push({ item: itemOf(item), similarity });
    }
  }
  return hits.slice(0, limit);
}
