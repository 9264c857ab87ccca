import { candidateCount, checkDocument, checkQuery, fuseRanks, searchWords } from "@pergola/sdk";
import type { SearchIndex, SearchOptions } from "@pergola/sdk";
import type { Journal, Row } from "./journal.ts";

interface Document {
  readonly scope: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly vector?: readonly number[];
}

type Scores = ReadonlyMap<string, number>;

/** A search index as a table of the journal. Queries read every document in their scopes. */
export function journalSearch(journal: Journal, name: string, options: SearchOptions): SearchIndex {
  const table = `search/${name}`;
  const documentOf = (row: Row): Document => row.value as unknown as Document;
  const removeWhere = (isOld: (row: Row) => boolean): void =>
    journal.append(
      journal
        .all(table)
        .filter(isOld)
        .map((row) => ({ ...row, value: null })),
    );
  return {
    async index(documents) {
      for (const document of documents) checkDocument(name, options, document);
      const rows = documents.map(({ id, scope, fields, vector }) => {
        const value = { scope, fields: { ...fields }, ...(vector && { vector: [...vector] }) };
        return { table, id, version: 1, value };
      });
      journal.append(rows);
    },
    remove: async (ids) => removeWhere(({ id }) => ids.includes(id)),
    removeScope: async (scope) => removeWhere((row) => documentOf(row).scope === scope),
    async query({ scopes, text = "", vector, limit }) {
      checkQuery(name, options, { scopes, vector, limit });
      const found = journal
        .all(table)
        .map((row) => [row.id, documentOf(row)] as const)
        .filter(([, { scope }]) => scopes.includes(scope));
      const similarities = cosines(found, vector);
      const words = best(wordScores(found, options.fields, text), limit);
      return fuseRanks({ words, vectors: best(similarities, limit), similarities, limit });
    },
  };
}

const best = (scores: Scores, limit: number): readonly string[] =>
  [...scores]
    .sort(([, a], [, b]) => b - a)
    .slice(0, candidateCount(limit))
    .map(([id]) => id);

/** A word counts more when fewer documents contain it, and when it is in a field of greater weight. */
function wordScores(
  documents: readonly (readonly [string, Document])[],
  weights: SearchOptions["fields"],
  text: string,
): Scores {
  const counted = documents.map(([id, { fields }]) => ({ id, counts: countWords(fields, weights) }));
  const scores = new Map<string, number>();
  for (const word of new Set(searchWords(text))) {
    const holders = counted.filter(({ counts }) => counts.has(word));
    const rarity = Math.log(1 + counted.length / holders.length);
    for (const { id, counts } of holders) {
      const count = counts.get(word) ?? 0;
      scores.set(id, (scores.get(id) ?? 0) + (rarity * count) / (1 + count));
    }
  }
  return scores;
}

function countWords(fields: Document["fields"], weights: SearchOptions["fields"]): Scores {
  const counts = new Map<string, number>();
  for (const [field, text] of Object.entries(fields)) {
    const weight = weights[field] ?? 0;
    for (const word of searchWords(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
  }
  return counts;
}

/** Vectors are of unit length, so the cosine is the dot product. */
function cosines(
  documents: readonly (readonly [string, Document])[],
  query: Float32Array | undefined,
): Scores {
  const scores = new Map<string, number>();
  for (const [id, { vector }] of documents) {
    const cosine = vector && query?.reduce((sum, value, index) => sum + value * (vector[index] ?? 0), 0);
    if (cosine !== undefined) scores.set(id, cosine);
  }
  return scores;
}
