import type { Database } from "better-sqlite3";
import { bytesOf, codeOf, floatsOf } from "@pergola/kit-storage";
import type { SearchOptions } from "@pergola/sdk";
import { rowsOf } from "./rows-of.ts";
import {
  createCodesSql,
  createDocumentsSql,
  createWordsSql,
  insertWordsSql,
  mergePairsSql,
  wordsValues,
  type SearchTable,
} from "./search-table.ts";

type Weights = SearchOptions["fields"];

interface CatalogRow {
  readonly number: number;
  readonly name: string;
  readonly weights: string;
}

interface ScopedRow {
  readonly row: number;
  readonly scope: string;
}

function tableOf(number: number, weights: Weights): SearchTable {
  const name = `search_${number}`;
  return {
    name,
    words: `${name}_words`,
    fields: Object.keys(weights),
    weights: Object.values(weights),
    counts: new Map(),
    rows: {},
  };
}

/**
 * The searches of the file, and the statements that make their tables. Call `declare` inside a transaction.
 */
export class SearchCatalog {
  readonly #database: Database;
  readonly #tables = new Map<string, SearchTable>();

  constructor(database: Database) {
    this.#database = database;
    this.reload();
  }

  /** Forgets what a rolled-back transaction declared. */
  reload(): void {
    this.#tables.clear();
    const rows = this.#database.prepare<[], CatalogRow>("SELECT * FROM searches").all();
    for (const { number, name, weights } of rows)
      this.#tables.set(name, tableOf(number, JSON.parse(weights) as Weights));
  }

  get(search: string): SearchTable | undefined {
    return this.#tables.get(search);
  }

  /**
   * Makes the tables where they are missing. Words are indexed anew when the fields are others than in the
   * file.
   */
  declare(search: string, { fields: weights }: SearchOptions): void {
    const known = this.#database
      .prepare<[string], number>("SELECT number FROM searches WHERE name = ?")
      .pluck()
      .get(search);
    const number = known ?? this.#create(search);
    const table = tableOf(number, weights);
    if (this.#tables.get(search)?.fields.join("\n") !== table.fields.join("\n")) this.#indexWords(table);
    if (!this.#has(`${table.name}_codes`)) this.#indexCodes(table);
    this.#database.exec(mergePairsSql(table));
    this.#database
      .prepare("UPDATE searches SET weights = ? WHERE number = ?")
      .run(JSON.stringify(weights), number);
    this.#tables.set(search, table);
  }

  #create(search: string): number {
    const insert = this.#database.prepare("INSERT INTO searches (name, weights) VALUES (?, '{}')");
    const number = Number(insert.run(search).lastInsertRowid);
    this.#database.exec(createDocumentsSql(`search_${number}`));
    return number;
  }

  #indexWords(table: SearchTable): void {
    this.#database.exec(createWordsSql(table));
    const insert = this.#database.prepare(insertWordsSql(table));
    const rows = rowsOf<ScopedRow & { readonly texts: string }>(this.#database, {
      columns: "scope, texts",
      table: table.name,
    });
    for (const { row, scope, texts } of rows)
      insert.run(row, ...wordsValues(table, scope, JSON.parse(texts) as Record<string, string>));
  }

  #has(table: string): boolean {
    return this.#database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== undefined;
  }

  /** Files that were made before there were codes have none. */
  #indexCodes({ name }: SearchTable): void {
    this.#database.exec(createCodesSql(name));
    const insert = this.#database.prepare(`INSERT INTO ${name}_codes (scope, row, code) VALUES (?, ?, ?)`);
    const rows = rowsOf<ScopedRow & { readonly vector: Buffer }>(this.#database, {
      columns: "scope, vector",
      table: name,
      where: "vector IS NOT NULL",
    });
    for (const { row, scope, vector } of rows) insert.run(scope, row, bytesOf(codeOf(floatsOf(vector))));
  }
}
