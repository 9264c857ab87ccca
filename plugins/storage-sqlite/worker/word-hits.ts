import { rankDocuments, rankRows, type Document, type Postings } from "@pergola/kit-storage";
import { candidateCount, searchWords } from "@pergola/sdk";
import type { SearchQuery } from "@pergola/sdk";
import { budget, countUpTo } from "./count-up-to.ts";
import { collectPostings } from "./postings.ts";
import { inScopes, type SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";

interface ScopedDocument extends Document {
  readonly scope: string;
}

export interface WordHit {
  readonly id: string;
  readonly score: number;
}

export interface WordQuery {
  readonly scopes: readonly string[];
  readonly words: readonly string[];
  /** How many hits. */
  readonly count: number;
}

/**
 * Up to this number of documents a query looks into the scopes alone; in larger ones that costs more than
 * looking everywhere.
 */
const smallScope = budget;

/** How many hits are taken for each that is wanted when some of them may lie in other scopes. */
const surplus = 4;

/**
 * The documents that hold words of the query, best first. What a query reads is bounded, whatever the index
 * holds.
 */
export function wordHits(
  statements: Statements,
  table: SearchTable,
  { scopes, text = "", vector, limit }: SearchQuery,
): readonly WordHit[] {
  const words = [...new Set(searchWords(text))];
  if (words.length === 0 || scopes.length === 0 || table.fields.length === 0) return [];
  const size = sizeOf(statements, table, scopes);
  let count = 2 * limit;
  if (vector !== undefined) count = candidateCount(limit);
  const query = { scopes, words, count };
  const hits = size > smallScope && hitsAmongAll(statements, table, query);
  return hits || hitsInScopes(statements, table, query, size);
}

const sizeOf = (statements: Statements, table: SearchTable, scopes: readonly string[]): number =>
  countUpTo(statements, table, { from: table.name, where: inScopes(scopes), values: scopes });

/** By what the words tell within the scopes. */
export function hitsInScopes(
  statements: Statements,
  table: SearchTable,
  { scopes, words, count }: WordQuery,
  size: number,
): readonly WordHit[] {
  const postings = collectPostings(statements, table, words, { scopes, size });
  return hitsOf(statements, table, { postings, size, limit: count }).map(([hit]) => hit);
}

/** By what the words tell in all scopes; undefined when too few of the best hits lie in those asked for. */
export function hitsAmongAll(
  statements: Statements,
  table: SearchTable,
  { scopes, words, count }: WordQuery,
): readonly WordHit[] | undefined {
  const size = statements.get(`SELECT max(row) FROM ${table.name}`).pluck().get() as number;
  const postings = collectPostings(statements, table, words);
  for (const rowLimit of [count, surplus * count]) {
    const best = hitsOf(statements, table, { postings, size, limit: rowLimit });
    const hits = best.filter(([, scope]) => scopes.includes(scope)).map(([hit]) => hit);
    if (hits.length >= count || best.length < rowLimit) return hits.slice(0, count);
  }
  return undefined;
}

/** The best documents of some postings, with their scopes; of equal ones the newest first. */
function hitsOf(
  statements: Statements,
  { name, fields, weights }: SearchTable,
  { postings, size, limit }: { readonly postings: readonly Postings[]; size: number; limit: number },
): readonly (readonly [WordHit, scope: string])[] {
  const rows = rankRows(postings, size, limit);
  const read = statements.get(
    `SELECT row, id, scope, texts FROM ${name} WHERE row IN (SELECT value FROM json_each(?))`,
  );
  const byField = Object.fromEntries(fields.map((field, index) => [field, weights[index] ?? 0]));
  const ranked = rankDocuments(read.all(JSON.stringify(rows)) as ScopedDocument[], postings, size, byField);
  return ranked.map(([{ id, scope }, score]) => [{ id, score }, scope]);
}
