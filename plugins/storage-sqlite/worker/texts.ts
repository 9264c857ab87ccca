import type { Database } from "better-sqlite3";
import type { IndexedText, TextMatch, TextQuery } from "../messages.ts";
import { scopeWord } from "./search-table.ts";
import type { Statements } from "./statements.ts";

/** `…` holds the texts' ids, `…_words` their words. Rows are numbered by time. */
const tableOf = (name: string): string => `text_${Buffer.from(name).toString("hex")}`;

/** So many texts of one millisecond have numbers of their own; further ones get those of the next. */
const rowsOfMillisecond = 1024;

/** Years from 1970 to 2248: their rows are exact numbers. */
const lastMillisecond = Math.floor(Number.MAX_SAFE_INTEGER / rowsOfMillisecond) - 1;

const firstRow = (time: number): number =>
  Math.min(Math.max(0, Math.ceil(time)), lastMillisecond) * rowsOfMillisecond;

/** The words come as they are compared. A first letter begins thousands of words: it has a list. */
const wordsSql = (table: string): string => `
  CREATE VIRTUAL TABLE IF NOT EXISTS ${table}_words USING fts5 (scope, kind, text,
    content = '', contentless_delete = 1, prefix = '1',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'")`;

/** Makes the tables of an index where they are missing. Call it inside a transaction. */
export function declareTexts(database: Database, name: string): void {
  const table = tableOf(name);
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${table} (row INTEGER PRIMARY KEY, id NOT NULL UNIQUE, scope NOT NULL);
    CREATE INDEX IF NOT EXISTS ${table}_scope ON ${table} (scope);
    ${wordsSql(table)};`);
}

/** Rows are written upwards: each step back would cost the index a part of its own. */
export function indexTexts(statements: Statements, name: string, texts: readonly IndexedText[]): void {
  const table = tableOf(name);
  const insert = statements.get(`INSERT INTO ${table} (row, id, scope) VALUES (?, ?, ?)`);
  const insertWords = statements.get(
    `INSERT INTO ${table}_words (rowid, scope, kind, text) VALUES (?, ?, ?, ?)`,
  );
  for (const { id, scope, time, kind, words } of texts.toSorted((a, b) => a.time - b.time)) {
    removeText(statements, table, id);
    const row = freeRow(statements, table, time);
    insert.run(row, id, scope);
    insertWords.run(row, scopeWord(scope), scopeWord(kind), words);
  }
}

function removeText(statements: Statements, table: string, id: string): void {
  const row = statements.get(`DELETE FROM ${table} WHERE id = ? RETURNING row`).pluck().get(id);
  if (row !== undefined) statements.get(`DELETE FROM ${table}_words WHERE rowid = ?`).run(row);
}

function freeRow(statements: Statements, table: string, time: number): number {
  const newest = statements.get(`SELECT max(row) FROM ${table} WHERE row >= ? AND row < ?`).pluck();
  for (let from = firstRow(time); ; from += rowsOfMillisecond) {
    const taken = newest.get(from, from + rowsOfMillisecond) as number | null;
    if (taken === null) return from;
    if (taken + 1 < from + rowsOfMillisecond) return taken + 1;
  }
}

export function removeTextScope(statements: Statements, name: string, scope: string): void {
  const table = tableOf(name);
  const rows = `SELECT row FROM ${table} WHERE scope = ?`;
  statements.get(`DELETE FROM ${table}_words WHERE rowid IN (${rows})`).run(scope);
  statements.get(`DELETE FROM ${table} WHERE scope = ?`).run(scope);
}

/** The newest texts that hold all terms; no more is read of the index than it takes to find them. */
export function findTexts(statements: Statements, name: string, query: TextQuery): readonly TextMatch[] {
  const table = tableOf(name);
  const { from = 0, to = lastMillisecond + 1, limit } = query;
  const rows = statements.get(`
    SELECT rowid FROM ${table}_words WHERE ${table}_words MATCH ? AND rowid >= ? AND rowid < ?
    ORDER BY rowid DESC LIMIT ?`);
  const found = rows.pluck().all(matchOf(query), firstRow(from), firstRow(to), limit);
  const read = statements.get(
    `SELECT id, scope FROM ${table} WHERE row IN (SELECT value FROM json_each(?)) ORDER BY row DESC`,
  );
  return read.all(JSON.stringify(found)) as TextMatch[];
}

function matchOf({ terms, scope, kind }: TextQuery): string {
  const within = Object.entries({ scope, kind }).flatMap(([column, value]) =>
    value === undefined ? [] : [`${column} : "${scopeWord(value)}"`],
  );
  return [...within, `text : (${terms.map(termOf).join(" AND ")})`].join(" AND ");
}

/** Words hold letters and digits only; in quotes they are no operators. */
function termOf({ words, isPrefix = false }: TextQuery["terms"][number]): string {
  const phrase = `"${words.join(" ")}"`;
  return isPrefix ? `${phrase} *` : phrase;
}
