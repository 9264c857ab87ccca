import { euclidean, floatsOf } from "@pergola/kit-storage";
import { candidateCount, compareText, type SearchQuery } from "@pergola/sdk";
import { indexKey } from "../index-key.ts";
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

interface VectorRow {
  readonly id: string;
  readonly vector: Buffer;
}

/** What a search by vectors works with. */
export interface Searcher {
  readonly search: SearchTable;
  readonly codes: VectorCodes;
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
    return (await distances(search, "scope = ANY ($1)", keys, vector)).slice(0, count);
  const compared = Math.max(fewestCompared, 2 * count);
  const byScope = await Promise.all(
    scopes.map(async (scope) => nearestByCode(searcher, scope, vector, compared)),
  );
  return byScope.flat().toSorted(byDistance).slice(0, count);
}

/** The distances of documents by their ids, without those that have no such vector. */
export const distancesOf = async (
  search: SearchTable,
  ids: readonly string[],
  vector: Float32Array,
): Promise<readonly Near[]> => {
  if (ids.length === 0) return [];
  return distances(search, "key = ANY ($1)", ids.map(indexKey), vector);
};

const byDistance = (a: Near, b: Near): number => a.distance - b.distance || compareText(a.id, b.id);

/** The nearest first; vectors of another length, as an earlier embedder left them, are passed over. */
async function distances(
  { database, table }: SearchTable,
  where: string,
  wanted: readonly unknown[],
  vector: Float32Array,
): Promise<readonly Near[]> {
  const rows = await database.readPlanned<VectorRow>(
    `SELECT id, vector FROM ${await table.ready()} WHERE ${where} AND length(vector) = $2`,
    [wanted, vector.byteLength],
  );
  return rows
    .map(({ id, vector: bytes }) => ({ id, distance: euclidean(floatsOf(bytes), vector) }))
    .toSorted(byDistance);
}

/** Codes of vectors that are gone take the place of others; when they are many the codes are read anew. */
async function nearestByCode(
  { search, codes }: Searcher,
  scope: string,
  vector: Float32Array,
  count: number,
): Promise<readonly Near[]> {
  const nearTo = async (rows: readonly number[]): Promise<readonly Near[]> =>
    distances(search, "row = ANY ($1::bigint[])", rows, vector);
  const rows = await codes.nearest({ scope, vector, count });
  const near = await nearTo(rows);
  if (near.length >= presentShare * rows.length) return near;
  codes.forget(scope);
  return nearTo(await codes.nearest({ scope, vector, count }));
}
