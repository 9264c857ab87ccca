import { bytesOf, codeOf } from "@pergola/kit-storage";
import type { SearchDocument } from "@pergola/sdk";
import { insertWordsSql, wordsValues, type SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";

/** Puts a document in the place of the one with the same id. */
export function indexDocument(statements: Statements, table: SearchTable, document: SearchDocument): void {
  removeDocument(statements, table, document.id);
  const { id, scope, fields, vector } = document;
  const row = nextRow(statements, table);
  const insert = statements.get(
    `INSERT INTO ${table.name} (row, id, scope, vector, texts) VALUES (?, ?, ?, ?, ?)`,
  );
  insert.run(row, id, scope, vector && bytesOf(vector), JSON.stringify(fields));
  if (vector !== undefined)
    statements
      .get(`INSERT INTO ${table.name}_codes (scope, row, code) VALUES (?, ?, ?)`)
      .run(scope, row, bytesOf(codeOf(vector)));
  if (table.fields.length > 0)
    statements.get(insertWordsSql(table)).run(row, ...wordsValues(table, scope, fields));
}

/** Pages that are rewritten at most, 4 KB each. */
const mergedPages = 64;

/**
 * Every commit leaves a small index of its own, and each of them costs every query a look. What was written
 * is merged, a little at a time.
 */
export function mergeWords(statements: Statements, { words, fields }: SearchTable): void {
  if (fields.length === 0) return;
  statements.get(`INSERT INTO ${words} (${words}, rank) VALUES ('merge', ${mergedPages})`).run();
}

/** How many documents are added before counts are made anew. */
const countsHold = 1000;

/** Above all rows that there are or were while the connection lives. */
function nextRow(statements: Statements, { name, rows, counts }: SearchTable): number {
  rows.last ??= (statements.get(`SELECT max(row) FROM ${name}`).pluck().get() as number | null) ?? 0;
  rows.last += 1;
  if (rows.last % countsHold === 0) counts.clear();
  return rows.last;
}

export function removeDocument(statements: Statements, { name, words }: SearchTable, id: string): void {
  const found = statements.get(`DELETE FROM ${name} WHERE id = ? RETURNING row, scope`).get(id) as
    { row: number; scope: string } | undefined;
  if (found === undefined) return;
  statements.get(`DELETE FROM ${name}_codes WHERE scope = ? AND row = ?`).run(found.scope, found.row);
  statements.get(`DELETE FROM ${words} WHERE rowid = ?`).run(found.row);
}

export function removeScope(
  statements: Statements,
  { name, words, counts }: SearchTable,
  scope: string,
): void {
  counts.clear();
  statements.get(`DELETE FROM ${words} WHERE rowid IN (SELECT row FROM ${name} WHERE scope = ?)`).run(scope);
  statements.get(`DELETE FROM ${name}_codes WHERE scope = ?`).run(scope);
  statements.get(`DELETE FROM ${name} WHERE scope = ?`).run(scope);
}
