import { candidatesFor, searchWords } from "@pergola/sdk";
import type { SearchQuery } from "@pergola/sdk";
import { countedUpTo, distinctiveWords } from "./distinctive-words.ts";
import { scopeWord, type SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";

interface Hit {
  readonly id: string;
  readonly scope: string;
}

/** From this number of documents on it pays to rank without regard to scopes first. */
const largeScope = 50_000;

/** How many hits are taken then for each that is wanted. */
const surplus = 4;

/** A list of words, each in quotes: whatever stands in them, they are words and not operators. */
const anyWord = (words: readonly string[]): string => `(${words.map((word) => `"${word}"`).join(" OR ")})`;

const anyOf = (values: readonly unknown[]): string => `(${values.map(() => "?").join(", ")})`;

/** Ids of the documents that hold words of the query, best first by bm25. */
export function wordHits(statements: Statements, table: SearchTable, { scopes, text = "", limit }: SearchQuery): readonly string[] {
  const words = wordsWorthwhile(statements, table, text);
  if (words.length === 0 || scopes.length === 0) return [];
  const wanted = candidatesFor(limit);
  const quick = isLarge(statements, table, scopes) ? hitsAmongAll(statements, table, scopes, words, wanted) : undefined;
  return quick ?? hitsInScopes(statements, table, scopes, words, wanted);
}

function wordsWorthwhile(statements: Statements, { words }: SearchTable, text: string): readonly string[] {
  const count = statements.get(`SELECT count(*) FROM (SELECT 1 FROM ${words} WHERE ${words} MATCH ? LIMIT ${countedUpTo})`).pluck();
  return distinctiveWords([...new Set(searchWords(text))], (word) => count.get(`- scope : "${word}"`) as number);
}

function isLarge(statements: Statements, { name }: SearchTable, scopes: readonly string[]): boolean {
  const count = statements.get(`SELECT count(*) FROM (SELECT 1 FROM ${name} WHERE scope IN ${anyOf(scopes)} LIMIT ${largeScope})`).pluck();
  return count.get(...scopes) === largeScope;
}

/** The scopes are words of the index as well, without weight. bm25 walks through all documents of a scope to learn how rare it is. */
export function hitsInScopes(
  statements: Statements,
  table: SearchTable,
  scopes: readonly string[],
  words: readonly string[],
  wanted: number,
): readonly string[] {
  const match = `scope : ${anyWord(scopes.map(scopeWord))} AND - scope : ${anyWord(words)}`;
  return rank(statements, table, match, wanted).map(({ id }) => id);
}

/** The same hits without that walk; undefined when too few of the best hits of all lie in the scopes. */
export function hitsAmongAll(
  statements: Statements,
  table: SearchTable,
  scopes: readonly string[],
  words: readonly string[],
  wanted: number,
): readonly string[] | undefined {
  const best = rank(statements, table, `- scope : ${anyWord(words)}`, surplus * wanted);
  const hits = best.filter(({ scope }) => scopes.includes(scope)).map(({ id }) => id);
  return hits.length >= wanted || best.length < surplus * wanted ? hits.slice(0, wanted) : undefined;
}

function rank(statements: Statements, { name, words, weights }: SearchTable, match: string, limit: number): readonly Hit[] {
  const statement = statements.get(`
    SELECT id, scope FROM (
      SELECT rowid AS hit, bm25(${words}, 0, ${weights.map(() => "?").join(", ")}) AS score
      FROM ${words} WHERE ${words} MATCH ? ORDER BY score, rowid LIMIT ?
    ) JOIN ${name} ON row = hit ORDER BY score, row`);
  return statement.all(...weights, match, limit) as Hit[];
}
