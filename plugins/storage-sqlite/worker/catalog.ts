import type { Database } from "better-sqlite3";
import { columnOf, columnType } from "./column-value.ts";
import { rowsOf } from "./rows-of.ts";

/** A collection as the file has it. */
export interface Table {
  readonly number: number;
  /** `records_<number>`: collection names may hold anything, table names do not. */
  readonly name: string;
  /** The fields that have a column of their own, in the order of the columns. */
  readonly fields: readonly string[];
  readonly indexes: readonly (readonly string[])[];
}

type CatalogRow = Pick<Table, "number" | "name"> & Readonly<Record<"fields" | "indexes", string>>;

const quoted = (value: unknown): string => JSON.stringify(value);

/** The column of an index field; the id has one anyway. */
export function columnName({ fields }: Table, field: string): string {
  if (field === "id") return "id";
  return `f${fields.indexOf(field)}`;
}

/** The index that serves a list of fields. */
export const indexName = (table: Table, index: readonly string[]): string =>
  [table.name, ...index.map((field) => columnName(table, field))].join("_");

/**
 * The collections of the file, and the statements that make and widen their tables. Call `declare` inside a
 * transaction.
 */
export class Catalog {
  readonly #database: Database;
  readonly #tables = new Map<string, Table>();

  constructor(database: Database) {
    this.#database = database;
    this.reload();
  }

  /** Forgets what a rolled-back transaction declared. */
  reload(): void {
    this.#tables.clear();
    const rows = this.#database.prepare<[], CatalogRow>("SELECT * FROM collections").all();
    for (const { number, name, fields, indexes } of rows)
      this.#tables.set(name, {
        number,
        name: `records_${number}`,
        fields: JSON.parse(fields) as string[],
        indexes: JSON.parse(indexes) as string[][],
      });
  }

  get(collection: string): Table | undefined {
    return this.#tables.get(collection);
  }

  /**
   * Makes the table, its columns and its indexes as far as they are missing. Columns that are new are filled
   * from the records.
   */
  declare(collection: string, indexes: readonly (readonly string[])[]): void {
    const fields = [...new Set(indexes.flat())].filter((field) => field !== "id");
    const known = this.#tables.get(collection) ?? this.#create(collection, fields);
    const missing = indexes.filter(
      (index) => !known.indexes.some((other) => quoted(other) === quoted(index)),
    );
    if (missing.length === 0) return void this.#tables.set(collection, known);
    const newFields = fields.filter((field) => !known.fields.includes(field));
    const table = {
      ...known,
      fields: [...known.fields, ...newFields],
      indexes: [...known.indexes, ...missing],
    };
    this.#addColumns(table, newFields);
    for (const index of missing) this.#addIndex(table, index);
    this.#database
      .prepare("UPDATE collections SET fields = ?, indexes = ? WHERE number = ?")
      .run(quoted(table.fields), quoted(table.indexes), table.number);
    this.#tables.set(collection, table);
  }

  /** The text comes last, so that the columns before it are read without it. */
  #create(collection: string, fields: readonly string[]): Table {
    const insert = this.#database.prepare(
      "INSERT INTO collections (name, fields, indexes) VALUES (?, ?, '[]')",
    );
    const number = Number(insert.run(collection, quoted(fields)).lastInsertRowid);
    const table: Table = {
      number,
      name: `records_${number}`,
      fields,
      indexes: [],
    };
    const columns = fields.map((field) => `${columnName(table, field)} ${columnType}, `).join("");
    this.#database.exec(
      `CREATE TABLE ${table.name} (row INTEGER PRIMARY KEY, id NOT NULL ` +
        `UNIQUE, version INTEGER NOT NULL, ${columns}body TEXT NOT NULL)`,
    );
    return table;
  }

  #addColumns(table: Table, fields: readonly string[]): void {
    if (fields.length === 0) return;
    for (const field of fields)
      this.#database.exec(`ALTER TABLE ${table.name} ADD COLUMN ${columnName(table, field)} ${columnType}`);
    const assignments = fields.map((field) => `${columnName(table, field)} = ?`).join(", ");
    const update = this.#database.prepare(`UPDATE ${table.name} SET ${assignments} WHERE row = ?`);
    const rows = rowsOf<{ row: number; body: string }>(this.#database, {
      columns: "body",
      table: table.name,
    });
    for (const { row, body } of rows) {
      const record = JSON.parse(body) as object;
      update.run(...fields.map((field) => columnOf(record, field)), row);
    }
  }

  #addIndex(table: Table, index: readonly string[]): void {
    const columns = [...new Set([...index.map((field) => columnName(table, field)), "id"])];
    this.#database.exec(
      `CREATE INDEX IF NOT EXISTS ${indexName(table, index)} ON ${table.name} (${columns.join(", ")})`,
    );
  }
}
