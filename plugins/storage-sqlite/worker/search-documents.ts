import type { SearchDocument } from "@pergola/sdk";
import { insertWordsSql, wordsValues, type SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer => Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

/** Puts a document in the place of the one with the same id. */
export function indexDocument(statements: Statements, table: SearchTable, document: SearchDocument): void {
  removeDocument(statements, table, document.id);
  const { id, scope, fields, vector } = document;
  const insert = statements.get(`INSERT INTO ${table.name} (id, scope, vector, texts) VALUES (?, ?, ?, ?)`);
  const { lastInsertRowid: row } = insert.run(id, scope, vector === undefined ? null : bytesOf(vector), JSON.stringify(fields));
  statements.get(insertWordsSql(table)).run(row, ...wordsValues(table, scope, fields));
}

export function removeDocument(statements: Statements, { name, words }: SearchTable, id: string): void {
  const row: unknown = statements.get(`DELETE FROM ${name} WHERE id = ? RETURNING row`).pluck().get(id);
  if (row !== undefined) statements.get(`DELETE FROM ${words} WHERE rowid = ?`).run(row);
}

export function removeScope(statements: Statements, { name, words }: SearchTable, scope: string): void {
  statements.get(`DELETE FROM ${words} WHERE rowid IN (SELECT row FROM ${name} WHERE scope = ?)`).run(scope);
  statements.get(`DELETE FROM ${name} WHERE scope = ?`).run(scope);
}
