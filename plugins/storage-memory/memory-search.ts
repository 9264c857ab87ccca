import { candidateCount, checkDocument, checkQuery, fuseRanks, searchWords } from "@pergola/sdk";
import type { SearchDocument, SearchHit, SearchIndex, SearchOptions, SearchQuery } from "@pergola/sdk";

/**
 * A document with the weight of each of its words: the word's occurrences, each counted by the weight of its
 * field.
 */
interface Entry {
  readonly id: string;
  readonly scope: string;
  readonly words: ReadonlyMap<string, number>;
  readonly vector: Float32Array | undefined;
}

/**
 * Word search by inverse document frequency, vector search by a plain scan. `check` throws when the storage
 * is closed.
 */
export function memorySearch(name: string, options: SearchOptions, check: () => void): SearchIndex {
  const entries = new Map<string, Entry>();
  const removeWhere = (isOld: (entry: Entry) => boolean): void => {
    check();
    for (const entry of entries.values()) if (isOld(entry)) entries.delete(entry.id);
  };
  return {
    async index(documents) {
      check();
      for (const document of documents) checkDocument(name, options, document);
      for (const document of documents) entries.set(document.id, entryOf(document, options));
    },
    remove: async (ids) => removeWhere(({ id }) => ids.includes(id)),
    removeScope: async (scope) => removeWhere((entry) => entry.scope === scope),
    async query(query) {
      check();
      checkQuery(name, options, query);
      return hits([...entries.values()], query);
    },
  };
}

function entryOf({ id, scope, fields, vector }: SearchDocument, { fields: weights }: SearchOptions): Entry {
  const words = new Map<string, number>();
  for (const [field, text] of Object.entries(fields)) {
    const weight = weights[field] ?? 0;
    for (const word of searchWords(text)) words.set(word, (words.get(word) ?? 0) + weight);
  }
  return { id, scope, words, vector: vector?.slice() };
}

function hits(
  entries: readonly Entry[],
  { scopes, text = "", vector, limit }: SearchQuery,
): readonly SearchHit[] {
  const inScope = entries.filter(({ scope }) => scopes.includes(scope));
  const similarities = new Map<string, number>();
  for (const { id, vector: own } of inScope) if (vector && own) similarities.set(id, dot(vector, own));
  const words = wordScores(inScope, [...new Set(searchWords(text))]);
  const best = (scores: ReadonlyMap<string, number>): readonly string[] =>
    [...scores]
      .sort(([, a], [, b]) => b - a)
      .slice(0, candidateCount(limit))
      .map(([id]) => id);
  return fuseRanks({
    words: best(words),
    textScores: words,
    vectors: best(similarities),
    similarities,
    limit,
  });
}

/**
 * Scores by id of the entries that hold at least one of the words; a word counts the more, the fewer entries
 * hold it. An entry that holds all of them once, in a field of weight 1, has 1.
 */
function wordScores(entries: readonly Entry[], words: readonly string[]): ReadonlyMap<string, number> {
  const found = words.map((word) => {
    const holders = entries.filter(({ words: own }) => own.has(word));
    return { word, holders, rarity: Math.log(1 + entries.length / Math.max(0.5, holders.length)) };
  });
  const all = found.reduce((sum, { rarity }) => sum + rarity / 2, 0);
  const scores = new Map<string, number>();
  for (const { word, holders, rarity } of found)
    for (const { id, words: own } of holders) {
      const weight = own.get(word) ?? 0;
      scores.set(id, (scores.get(id) ?? 0) + (rarity * weight) / (1 + weight) / all);
    }
  return scores;
}

/** The cosine of vectors of unit length. */
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
