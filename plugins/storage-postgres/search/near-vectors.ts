import { euclidean, floatsOf } from "@pergola/kit-storage";
import { candidateCount, compareText, type SearchQuery } from "@pergola/sdk";
import { indexKey } from "../index-key.ts";
import { embeddingText } from "../pgvector.ts";
import type { EmbeddingFill } from "./embedding-fill.ts";
import type { SearchTable } from "./search-table.ts";
import type { VectorCodes } from "./vector-codes.ts";

/** Up to this number of vectors all are compared. */
const smallScope = 2000;

/** Of the nearest codes at least so many vectors are compared. */
const fewestCompared = 500;

/** The share of codes whose vectors have to be there. */
const presentShare = 0.8;

export interface Near {
  readonly id: string;
  readonly distance: number;
}

/** Of a vector that the database has not compared, the vector itself. */
interface VectorRow {
  readonly id: string;
  readonly distance: number | null;
  readonly vector: Buffer | null;
}

/** What a search by vectors works with. */
export interface Searcher {
  readonly search: SearchTable;
  readonly codes: VectorCodes;
  readonly fill: EmbeddingFill;
}

/** All vectors are compared in a small scope; in a large one those whose codes are the nearest. */
export async function nearVectors(
  searcher: Searcher,
  { scopes, text, limit }: SearchQuery,
  vector: Float32Array,
): Promise<readonly Near[]> {
  const count = text === undefined ? limit : candidateCount(limit);
  if (scopes.length === 0) return [];
  const { search } = searcher;
  const table = await search.table.ready();
  const rows = `SELECT FROM ${table} WHERE scope = ANY ($1) LIMIT ${smallScope + 1}`;
  const keys = scopes.map(indexKey);
  const [found] = await search.database.readPlanned<{ readonly size: number }>(
    `SELECT count(*)::float8 AS size FROM (${rows}) found`,
    [keys],
  );
  if (found!.size <= smallScope)
    return distances(searcher, { where: "scope = ANY ($1)", wanted: keys, count }, vector);
  const compared = Math.max(fewestCompared, 2 * count);
  const byScope = await Promise.all(
    scopes.map(async (scope) => nearestByCode(searcher, scope, vector, compared)),
  );
  return byScope.flat().toSorted(byDistance).slice(0, count);
}

/** The distances of documents by their ids, without those that have no such vector. */
export const distancesOf = async (
  searcher: Searcher,
  ids: readonly string[],
  vector: Float32Array,
): Promise<readonly Near[]> => {
  if (ids.length === 0) return [];
  const wanted = ids.map(indexKey);
  return distances(searcher, { where: "key = ANY ($1)", wanted, count: ids.length }, vector);
};

const byDistance = (a: Near, b: Near): number => a.distance - b.distance || compareText(a.id, b.id);

interface Compared {
  /** What of the table, with `wanted` as $1. */
  readonly where: string;
  readonly wanted: readonly unknown[];
  /** How many of the nearest. */
  readonly count: number;
}

/**
 * The nearest first; vectors of another length, as an earlier embedder left them, are passed over. Where the
 * database has pgvector it compares them; others are read, and compared here.
 */
async function distances(
  { search, fill }: Searcher,
  { where, wanted, count }: Compared,
  vector: Float32Array,
): Promise<readonly Near[]> {
  const table = await search.table.ready();
  const { database } = search;
  const vectors = search.vectors();
  const text = embeddingText(vector);
  const there = `FROM ${table} WHERE ${where}`;
  const read = `SELECT id, NULL::float8 AS distance, vector ${there} AND length(vector) = $2`;
  const values = [wanted, vector.byteLength];
  if (vectors === undefined || text === null)
    return nearest(await database.readPlanned<VectorRow>(read, values), vector, count);
  const compared =
    `SELECT id, embedding OPERATOR(${vectors}.<->) $3::${vectors}.vector AS distance, NULL::bytea ` +
    `${there} AND ${vectors}.vector_dims(embedding) = $2 / 4 ORDER BY distance LIMIT $4`;
  const rows = await database.readPlanned<VectorRow>(
    `(${read} AND embedding IS NULL) UNION ALL (${compared})`,
    [...values, text, count],
  );
  if (rows.some((row) => row.vector !== null)) fill.ask();
  return nearest(rows, vector, count);
}

const nearest = (rows: readonly VectorRow[], vector: Float32Array, count: number): readonly Near[] =>
  rows
    .map(({ id, distance, vector: bytes }) => ({
      id,
      distance: bytes === null ? distance! : euclidean(floatsOf(bytes), vector),
    }))
    .toSorted(byDistance)
    .slice(0, count);

/** Codes of vectors that are gone take the place of others; when they are many the codes are read anew. */
async function nearestByCode(
  searcher: Searcher,
  scope: string,
  vector: Float32Array,
  count: number,
): Promise<readonly Near[]> {
  const { codes } = searcher;
  const nearTo = async (rows: readonly number[]): Promise<readonly Near[]> =>
    distances(searcher, { where: "row = ANY ($1::bigint[])", wanted: rows, count: rows.length }, vector);
  const rows = await codes.nearest({ scope, vector, count });
  const near = await nearTo(rows);
  if (near.length >= presentShare * rows.length) return near;
  codes.forget(scope);
  return nearTo(await codes.nearest({ scope, vector, count }));
}
