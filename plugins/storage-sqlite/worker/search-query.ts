import { bytesOf } from "@pergola/kit-storage";
import { candidateCount, fuseRanks } from "@pergola/sdk";
import type { SearchHit, SearchQuery } from "@pergola/sdk";
import { inScopes, type SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";
import type { NearestQuery, VectorCodes } from "./vector-codes.ts";
import { wordHits } from "./word-hits.ts";

/** What a search works with. */
export interface Searcher {
  readonly statements: Statements;
  readonly codes: VectorCodes;
}

/** Up to this number of vectors, 1 µs each, all are compared. */
const smallScope = 2000;

/** Of the nearest codes at least so many vectors are compared. */
const fewestCompared = 500;

/** The share of codes whose vectors have to be there. */
const presentShare = 0.8;

interface Near {
  readonly id: string;
  readonly distance: number;
}

/** Cosine from the Euclidean distance of vectors of unit length. */
const cosine = (distance: number): number => 1 - distance ** 2 / 2;

/** Words by bm25 and vectors by distance, merged. */
export function querySearch(
  connection: Searcher,
  table: SearchTable,
  query: SearchQuery,
): readonly SearchHit[] {
  const { vector, limit } = query;
  const { statements } = connection;
  const hits = wordHits(statements, table, query);
  const words = hits.map(({ id }) => id);
  const ranks = {
    words,
    textScores: new Map(hits.map(({ id, score }) => [id, score])),
    limit,
  };
  if (vector === undefined) return fuseRanks({ ...ranks, vectors: [], similarities: new Map() });
  const near = nearest(connection, table, query, vector);
  const others = distances(statements, table, words, bytesOf(vector));
  const similarities = new Map([...others, ...near].map(({ id, distance }) => [id, cosine(distance)]));
  return fuseRanks({ ...ranks, vectors: near.map(({ id }) => id), similarities });
}

/** All vectors are compared in a small scope; in a large one those whose codes are the nearest. */
function nearest(
  connection: Searcher,
  table: SearchTable,
  { scopes, text, limit }: SearchQuery,
  vector: Float32Array,
): readonly Near[] {
  let count = limit;
  if (text !== undefined) count = candidateCount(limit);
  if (isSmall(connection.statements, table, scopes))
    return nearestOfAll(connection.statements, table, scopes, { vector, count });
  const compared = Math.max(fewestCompared, 2 * count);
  return scopes
    .flatMap((scope) => nearestByCode(connection, table, { scope, vector, count: compared }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, count);
}

function isSmall(statements: Statements, { name }: SearchTable, scopes: readonly string[]): boolean {
  if (scopes.length === 0) return true;
  const rows = `SELECT 1 FROM ${name} WHERE ${inScopes(scopes)} LIMIT ${smallScope + 1}`;
  const size = statements.get(`SELECT count(*) FROM (${rows})`).pluck();
  return (size.get(...scopes) as number) <= smallScope;
}

function nearestOfAll(
  statements: Statements,
  { name }: SearchTable,
  scopes: readonly string[],
  { vector, count }: Omit<NearestQuery, "scope">,
): readonly Near[] {
  const statement = statements.get(`
    SELECT id, vec_distance_L2(vector, ?) AS distance FROM ${name}
    WHERE ${inScopes(scopes)} AND length(vector) = ${vector.byteLength}
    ORDER BY distance, row LIMIT ?`);
  return statement.all(bytesOf(vector), ...scopes, count) as Near[];
}

/** Codes of vectors that are gone take the place of others; when they are many the codes are read anew. */
function nearestByCode(
  { statements, codes }: Searcher,
  table: SearchTable,
  query: NearestQuery,
): readonly Near[] {
  const { scope, vector } = query;
  const statement = statements.get(`
    SELECT id, vec_distance_L2(vector, ?) AS distance FROM ${table.name}
    WHERE row IN (SELECT value FROM json_each(?)) AND length(vector) = ${vector.byteLength}
    ORDER BY distance, row`);
  const nearTo = (rows: readonly number[]): readonly Near[] =>
    statement.all(bytesOf(vector), JSON.stringify(rows)) as Near[];
  const rows = codes.nearest(statements, table, query);
  const near = nearTo(rows);
  if (near.length >= presentShare * rows.length) return near;
  codes.forget(table, scope);
  return nearTo(codes.nearest(statements, table, query));
}

/** The distances of the documents that were found by their words. */
function distances(
  statements: Statements,
  { name }: SearchTable,
  ids: readonly string[],
  vector: Buffer,
): readonly Near[] {
  const statement = statements.get(
    `SELECT id, vec_distance_L2(vector, ?) AS distance FROM ${name} ` +
      `WHERE id = ? AND length(vector) = ${vector.byteLength}`,
  );
  return ids.flatMap((id) => statement.all(vector, id) as Near[]);
}
