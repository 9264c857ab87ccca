import { rankDocuments, rankRows, type Document, type Postings } from "@pergola/kit-storage";
import { candidateCount, searchWords, type SearchQuery } from "@pergola/sdk";
import { indexKey } from "../index-key.ts";
import { lexeme, lexemeQuery } from "../lexemes.ts";
import { scopeLexeme, stemSql, type SearchTable } from "./search-table.ts";

/** How many postings or documents a query may read. */
const budget = 12_000;

export interface WordHit {
  readonly id: string;
  readonly score: number;
}

/** A word in a field. */
interface Place {
  readonly word: number;
  readonly field: number;
  /** As a tsquery, within the scopes. */
  readonly query: string;
  /** Documents that hold it, counted up to one more than the budget. */
  readonly count: number;
}

interface Listed extends Place {
  readonly rows: readonly number[];
  readonly isWhole: boolean;
}

/**
 * The documents of some scopes that hold words of a query, best first. What a query reads is bounded: the
 * rarest words first, of each the newest documents, as long as the budget lasts.
 */
export async function wordHits(search: SearchTable, query: SearchQuery): Promise<readonly WordHit[]> {
  const { scopes, text = "", vector, limit } = query;
  const words = [...new Set(searchWords(text).map(lexeme))];
  if (words.length === 0 || scopes.length === 0 || search.fields.length === 0) return [];
  const table = await search.table.ready();
  const [size, places] = await Promise.all([
    sizeOf(search, table, scopes),
    findPlaces(search, table, words, scopes),
  ]);
  const postings = postingsOf(search, words, await listPlaces(search, table, places));
  const count = vector === undefined ? 2 * limit : candidateCount(limit);
  return readBest(search, table, postings, { size, count });
}

async function sizeOf({ database }: SearchTable, table: string, scopes: readonly string[]): Promise<number> {
  const [found] = await database.readPlanned<{ readonly size: number }>(
    `SELECT count(*)::float8 AS size FROM
      (SELECT FROM ${table} WHERE scope = ANY ($1) LIMIT ${budget + 1}) found`,
    [scopes.map(indexKey)],
  );
  return found?.size ?? 0;
}

/** Where words are, the rarest first; without places that hold nothing. */
async function findPlaces(
  { database, fields }: SearchTable,
  table: string,
  words: readonly string[],
  scopes: readonly string[],
): Promise<readonly Place[]> {
  const within = scopes.map((scope) => lexemeQuery(scopeLexeme(scope))).join(" | ");
  const text = `
    SELECT word::integer - 1 AS word, field, query::text AS query, count FROM
      unnest($1::text[]) WITH ORDINALITY AS given (text, word)
      CROSS JOIN generate_series(0, $3::integer - 1) AS field
      CROSS JOIN LATERAL
        (SELECT ($2 || '''' || field || ':' || ${stemSql("text")} || '''')::tsquery AS query) asked
      CROSS JOIN LATERAL (SELECT count(*)::float8 AS count FROM
        (SELECT FROM ${table} WHERE words @@ query LIMIT ${budget + 1}) found) c
    WHERE count > 0 ORDER BY count`;
  return database.readPlanned<Place>(text, [words, `(${within}) & `, fields.length]);
}

/** The rows of places, as far as the budget lasts. */
async function listPlaces(
  { database }: SearchTable,
  table: string,
  places: readonly Place[],
): Promise<readonly Listed[]> {
  let left = budget;
  const limits = places.map(({ count }) => {
    const limit = Math.min(count, left);
    left -= limit;
    return limit;
  });
  const found = await database.readPlanned<{ readonly rows: readonly number[] }>(
    `SELECT ARRAY(SELECT row::float8 FROM ${table} WHERE words @@ query::tsquery
      ORDER BY row DESC LIMIT most) AS rows
     FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS given (query, most, place) ORDER BY place`,
    [places.map(({ query }) => query), limits],
  );
  return places.map((place, at) => ({
    ...place,
    rows: found[at]?.rows ?? [],
    isWhole: place.count <= limits[at]!,
  }));
}

/** What the places of each word hold together. */
function postingsOf(
  { weights }: SearchTable,
  words: readonly string[],
  listed: readonly Listed[],
): readonly Postings[] {
  return words.map((word, at) => {
    const places = listed.filter((place) => place.word === at);
    const rows = new Map<number, number>();
    for (const { field, rows: found } of places)
      for (const row of found) rows.set(row, (rows.get(row) ?? 0) + (weights[field] ?? 0));
    return {
      word,
      count: places[0]?.count ?? 0,
      weights: rows,
      complete: places.every(({ isWhole }) => isWhole),
    };
  });
}

async function readBest(
  { database, fields, weights }: SearchTable,
  table: string,
  postings: readonly Postings[],
  { size, count }: { readonly size: number; readonly count: number },
): Promise<readonly WordHit[]> {
  const rows = rankRows(postings, size, count);
  if (rows.length === 0) return [];
  const documents = await database.read<Document>(
    `SELECT row::float8 AS row, id, texts FROM ${table} WHERE row = ANY ($1::bigint[])`,
    [rows],
  );
  const byField = Object.fromEntries(fields.map((field, at) => [field, weights[at] ?? 0]));
  return rankDocuments(documents, postings, size, byField).map(([{ id }, score]) => ({ id, score }));
}
