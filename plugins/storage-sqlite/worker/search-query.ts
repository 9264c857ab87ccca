import { candidatesFor, fuseRanks, searchWords } from "@pergola/sdk";
import type { SearchHit, SearchQuery } from "@pergola/sdk";
import { countedUpTo, distinctiveWords } from "./distinctive-words.ts";
import { scopeWord, type SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";

interface Near {
  readonly id: string;
  readonly distance: number;
}

const placesFor = (values: readonly unknown[]): string => values.map(() => "?").join(",");

/** A list of words, each in quotes: whatever stands in them, they are words and not operators. */
const anyWord = (words: readonly string[]): string => `(${words.map((word) => `"${word}"`).join(" OR ")})`;

/** Cosine from the Euclidean distance of vectors of unit length. */
const cosine = (distance: number): number => 1 - distance ** 2 / 2;

/** Words by bm25 and vectors by distance, merged. */
export function querySearch(statements: Statements, table: SearchTable, query: SearchQuery): readonly SearchHit[] {
  const { text = "", vector, limit } = query;
  if (query.scopes.length === 0) return [];
  const scoped = { ...query, scopes: [...new Set(query.scopes)] };
  const words = wordHits(statements, table, scoped, text);
  if (vector === undefined) return fuseRanks({ words, vectors: [], similarities: new Map(), limit });
  const bytes = Buffer.from(vector.buffer as ArrayBuffer, vector.byteOffset, vector.byteLength);
  const near = nearest(statements, table, scoped, bytes);
  const others = distances(statements, table, words, bytes);
  const similarities = new Map([...others, ...near].map(({ id, distance }) => [id, cosine(distance)]));
  return fuseRanks({ words, vectors: near.map(({ id }) => id), similarities, limit });
}

function wordHits(statements: Statements, table: SearchTable, { scopes, limit }: SearchQuery, text: string): readonly string[] {
  const count = statements
    .get(`SELECT count(*) FROM (SELECT 1 FROM ${table.words} WHERE ${table.words} MATCH ? LIMIT ${countedUpTo})`)
    .pluck();
  const countOf = (word: string): number => count.get(`- scope : "${word}"`) as number;
  const words = distinctiveWords([...new Set(searchWords(text))], countOf);
  if (words.length === 0) return [];
  const statement = statements.get(`
    SELECT id FROM (
      SELECT rowid AS hit, bm25(${table.words}, 0, ${placesFor(table.weights)}) AS score
      FROM ${table.words} WHERE ${table.words} MATCH ? ORDER BY score LIMIT ?
    ) JOIN ${table.name} ON row = hit ORDER BY score, row`);
  const match = `scope : ${anyWord(scopes.map(scopeWord))} AND - scope : ${anyWord(words)}`;
  return statement.pluck().all(...table.weights, match, candidatesFor(limit)) as string[];
}

function nearest(statements: Statements, table: SearchTable, { scopes, limit }: SearchQuery, vector: Buffer): readonly Near[] {
  const statement = statements.get(`
    SELECT id, vec_distance_L2(vector, ?) AS distance FROM ${table.name}
    WHERE scope IN (${placesFor(scopes)}) AND length(vector) = ${vector.byteLength} ORDER BY distance, row LIMIT ?`);
  return statement.all(vector, ...scopes, candidatesFor(limit)) as Near[];
}

/** The distances of the documents that were found by their words. */
function distances(statements: Statements, table: SearchTable, ids: readonly string[], vector: Buffer): readonly Near[] {
  const statement = statements.get(
    `SELECT id, vec_distance_L2(vector, ?) AS distance FROM ${table.name} WHERE id = ? AND length(vector) = ${vector.byteLength}`,
  );
  return ids.flatMap((id) => statement.all(vector, id) as Near[]);
}
