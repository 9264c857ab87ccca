import type { SearchDocument, SearchHit, SearchIndex, SearchQuery } from "@pergola/sdk";

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

/** Reciprocal rank fusion with the usual constant 60 (Cormack, Clarke and Büttcher, 2009). */
const share = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / (60 + rank));

/** Ids from best to worst; those that score nothing are left out. */
function ranked(
  documents: readonly SearchDocument[],
  scoreOf: (document: SearchDocument) => number,
): Map<string, number> {
  const scored = documents
    .map((document) => ({ id: document.id, score: scoreOf(document) }))
    .filter(({ score }) => score > 0);
  return new Map(scored.toSorted((a, b) => b.score - a.score).map(({ id }, index) => [id, index + 1]));
}

/** A search index in memory, for tests of operations: counts words, and compares vectors one by one. */
export function memorySearch(): SearchIndex {
  const documents = new Map<string, SearchDocument>();

  const hits = ({ scopes, text, vector, limit }: SearchQuery): readonly SearchHit[] => {
    const inScope = [...documents.values()].filter(({ scope }) => scopes.includes(scope));
    const words = new Set(wordsOf(text ?? ""));
    const byText = ranked(
      inScope,
      ({ fields }) => wordsOf(Object.values(fields).join(" ")).filter((word) => words.has(word)).length,
    );
    const similarity = (document: SearchDocument): number | undefined =>
      vector === undefined || document.vector === undefined ? undefined : cosine(vector, document.vector);
    const byVector = ranked(inScope, (document) => similarity(document) ?? 0);
    return inScope
      .map((document): SearchHit => {
        const { id } = document;
        const near = similarity(document);
        const textRank = byText.get(id);
        const score = share(textRank) + share(byVector.get(id));
        return {
          id,
          score,
          ...(near === undefined ? {} : { similarity: near }),
          ...(textRank === undefined ? {} : { textRank }),
        };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit);
  };

  return {
    async index(added) {
      for (const document of added) documents.set(document.id, structuredClone(document));
    },
    async remove(ids) {
      for (const id of ids) documents.delete(id);
    },
    async removeScope(scope) {
      for (const document of [...documents.values()])
        if (document.scope === scope) documents.delete(document.id);
    },
    query: async (query) => hits(query),
  };
}
