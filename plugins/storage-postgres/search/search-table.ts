import { createHash } from "node:crypto";
import type { SearchOptions } from "@pergola/sdk";
import type { Database } from "../database.ts";
import { NamedTable } from "../named-table.ts";
import type { RecordsHost } from "../postgres-records.ts";
import { addEmbeddingSql } from "../pgvector.ts";

/** A search: where its documents are, and what they hold. */
export interface SearchTable {
  readonly table: NamedTable;
  readonly database: Database;
  readonly fields: readonly string[];
  readonly weights: readonly number[];
  /** The schema of pgvector, where the table has a column of its type. */
  readonly vectors: () => string | undefined;
}

/**
 * The documents of a search. Of their vectors each has a code of its signs; the xid of a row tells hosts that
 * have codes in memory which ones are new to them.
 */
export const createSearchSql = (number: number, vectors: string | undefined): string => `
  CREATE TABLE search_${number} (row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key bytea NOT NULL UNIQUE, id text NOT NULL, scope bytea NOT NULL, texts text NOT NULL,
    words tsvector NOT NULL, vector bytea, code bytea, xid xid8 NOT NULL DEFAULT pg_current_xact_id());
  ALTER TABLE search_${number} ALTER COLUMN vector SET STORAGE EXTERNAL;
  CREATE INDEX ON search_${number} USING gin (words) WITH (fastupdate = off);
  CREATE INDEX ON search_${number} (scope, xid);
  ${vectors === undefined ? "" : addEmbeddingSql(`search_${number}`, vectors)}`;

export const searchTable = (
  { database, catalog, queue }: RecordsHost,
  name: string,
  { fields }: SearchOptions,
): SearchTable => ({
  table: new NamedTable({ database, catalog, queue }, "searches", name, (number) =>
    createSearchSql(number, catalog.vectors),
  ),
  database,
  fields: Object.keys(fields),
  weights: Object.values(fields),
  vectors: () => catalog.vectorsOf(name),
});

/** The beginning of the lexemes of a field, by its place: its words are not those of others. */
export const fieldPrefix = (field: number): string => `${field}:`;

/** A scope as a lexeme, beside the words of its documents. The digit at its end keeps the stemmer away. */
export const scopeLexeme = (scope: string): string =>
  `s${createHash("sha256").update(scope).digest("hex").slice(0, 40)}0`;

/** SQL of the stem of a word: Porter's, whatever the language of the text is. */
export const stemSql = (word: string): string => `coalesce((ts_lexize('porter', ${word}))[1], ${word})`;
