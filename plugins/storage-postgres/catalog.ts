import type pg from "pg";
import { keyOfField, nullKey } from "./index-key.ts";
import { vectorsSql } from "./pgvector.ts";

/** A collection as the database has it. */
export interface Table {
  readonly number: number;
  /** `records_<number>`: collection names may hold anything, table names do not. */
  readonly name: string;
  /** The fields that have a column of their own, in the order of the columns. */
  readonly fields: readonly string[];
  readonly indexes: readonly (readonly string[])[];
}

/** A search or a text index as the database has it. */
export interface NamedTable {
  readonly number: number;
  readonly name: string;
}

type Indexes = readonly (readonly string[])[];
type Queryable = Pick<pg.ClientBase, "query">;

/** How many records are given their new columns at a time. */
const page = 1000;

/** The column of an index field; the id has its key anyway. */
export function columnName({ fields }: Table, field: string): string {
  if (field === "id") return "key";
  return `f${fields.indexOf(field)}`;
}

const textOf = (value: unknown): string => JSON.stringify(value);

const missingIn = (indexes: Indexes, known: Indexes): Indexes =>
  indexes.filter((index) => !known.some((other) => textOf(other) === textOf(index)));

interface SearchRow extends NamedTable {
  readonly embeds: boolean;
}

interface CatalogRows {
  readonly generation: string;
  readonly collections: readonly (Omit<Table, "name"> & { readonly name: string })[];
  readonly searches: readonly SearchRow[];
  readonly texts: readonly NamedTable[];
  readonly vectors: string | null;
}

const catalogSql = `
  SELECT (SELECT generation::text FROM format) AS generation,
    (SELECT coalesce(json_agg(c), '[]') FROM collections c) AS collections,
    (SELECT coalesce(json_agg(s), '[]') FROM (SELECT number, name, EXISTS (SELECT FROM pg_attribute
      WHERE attrelid = to_regclass('search_' || number) AND attname = 'embedding') AS embeds
      FROM searches) s) AS searches,
    (SELECT coalesce(json_agg(t), '[]') FROM texts t) AS texts,
    ${vectorsSql} AS vectors`;

/**
 * What tables there are. Each host knows them; a generation that grows with every change tells a host that
 * writes whether it knows the newest. Tables and columns are added, and never taken away or given another
 * meaning while hosts work.
 */
export class Catalog {
  #generation = "";
  readonly #collections = new Map<string, Table>();
  readonly #searches = new Map<string, string>();
  readonly #embedding = new Set<string>();
  #vectors: string | undefined;
  readonly #texts = new Map<string, string>();

  get generation(): string {
    return this.#generation;
  }

  /** Reads all again at the next transaction. */
  forget(): void {
    this.#generation = "";
  }

  async load(client: Queryable): Promise<void> {
    const { rows } = await client.query<CatalogRows>(catalogSql);
    const { generation, collections, searches, texts, vectors } = rows[0]!;
    this.#vectors = vectors ?? undefined;
    for (const known of [this.#collections, this.#searches, this.#embedding, this.#texts]) known.clear();
    for (const { name, ...table } of collections)
      this.#collections.set(name, { ...table, name: `records_${table.number}` });
    for (const { name, number, embeds } of searches) {
      this.#searches.set(name, `search_${number}`);
      if (embeds) this.#embedding.add(name);
    }
    for (const { name, number } of texts) this.#texts.set(name, `text_${number}`);
    this.#generation = generation;
  }

  collection(name: string): Table | undefined {
    return this.#collections.get(name);
  }

  /** The name of the table of a search. */
  search(name: string): string | undefined {
    return this.#searches.get(name);
  }

  /** The schema of pgvector, where the database has it. */
  get vectors(): string | undefined {
    return this.#vectors;
  }

  /** The same, where the table of a search has a column of its type. */
  vectorsOf(search: string): string | undefined {
    return this.#embedding.has(search) ? this.#vectors : undefined;
  }

  /** The name of the table of a text index. */
  text(name: string): string | undefined {
    return this.#texts.get(name);
  }

  has(collection: string, indexes: Indexes): boolean {
    const known = this.#collections.get(collection);
    return known !== undefined && missingIn(indexes, known.indexes).length === 0;
  }

  /**
   * Makes the table of a collection, its columns and indexes as far as they are missing. New columns are
   * filled from the records. The transaction must have the lock of the catalog for itself.
   */
  async declare(client: Queryable, collection: string, indexes: Indexes): Promise<void> {
    if (this.has(collection, indexes)) return;
    const fields = [...new Set(indexes.flat())].filter((field) => field !== "id");
    const known = this.#collections.get(collection) ?? (await createTable(client, collection));
    const newFields = fields.filter((field) => !known.fields.includes(field));
    const missing = missingIn(indexes, known.indexes);
    const table = {
      ...known,
      fields: [...known.fields, ...newFields],
      indexes: [...known.indexes, ...missing],
    };
    if (newFields.length > 0) await addColumns(client, table, newFields);
    for (const index of missing) await addIndex(client, table, index);
    await client.query("UPDATE collections SET fields = $1, indexes = $2 WHERE number = $3", [
      textOf(table.fields),
      textOf(table.indexes),
      table.number,
    ]);
    await this.#renew(client);
  }

  /** Makes the tables of a search with the statements that are given for its number. */
  async declareNamed(
    client: Queryable,
    kind: "searches" | "texts",
    name: string,
    createSql: (number: number) => string,
  ): Promise<void> {
    const known = kind === "searches" ? this.#searches : this.#texts;
    if (known.has(name)) return;
    const { rows } = await client.query<{ readonly number: number }>(
      `INSERT INTO ${kind} (name) VALUES ($1) RETURNING number`,
      [name],
    );
    await client.query(createSql(rows[0]!.number));
    await this.#renew(client);
  }

  async #renew(client: Queryable): Promise<void> {
    await client.query("UPDATE format SET generation = generation + 1");
    await this.load(client);
  }
}

async function createTable(client: Queryable, collection: string): Promise<Table> {
  const { rows } = await client.query<{ readonly number: number }>(
    "INSERT INTO collections (name, fields, indexes) VALUES ($1, '[]', '[]') RETURNING number",
    [collection],
  );
  const number = rows[0]!.number;
  const name = `records_${number}`;
  await client.query(
    `CREATE TABLE ${name} (key bytea PRIMARY KEY, version integer NOT NULL, body text NOT NULL)`,
  );
  return { number, name, fields: [], indexes: [] };
}

async function addColumns(client: Queryable, table: Table, fields: readonly string[]): Promise<void> {
  const columns = fields.map((field) => columnName(table, field));
  const added = columns.map((column) => `ADD COLUMN ${column} bytea NOT NULL DEFAULT ${nullKey}`);
  await client.query(`ALTER TABLE ${table.name} ${added.join(", ")}`);
  await fillColumns(client, table, fields);
}

interface Filled {
  readonly key: Buffer;
  readonly body: string;
}

async function fillColumns(client: Queryable, table: Table, fields: readonly string[]): Promise<void> {
  const values = fields.map((field, at) => `${columnName(table, field)} = given.v${at}`).join(", ");
  const given = fields.map((_, at) => `v${at}`).join(", ");
  const lists = fields.map((_, at) => `$${at + 2}::bytea[]`).join(", ");
  const update =
    `UPDATE ${table.name} AS record SET ${values} FROM unnest($1::bytea[], ${lists}) ` +
    `AS given (key, ${given}) WHERE record.key = given.key`;
  for (let after: Buffer = Buffer.alloc(0); ;) {
    const { rows } = await client.query<Filled>(
      `SELECT key, body FROM ${table.name} WHERE key > $1 ORDER BY key LIMIT ${page}`,
      [after],
    );
    if (rows.length === 0) return;
    after = rows.at(-1)!.key;
    const records = rows.map(({ body }) => JSON.parse(body) as object);
    const keys = fields.map((field) => records.map((record) => keyOfField(record, field)));
    await client.query(update, [rows.map(({ key }) => key), ...keys]);
  }
}

async function addIndex(client: Queryable, table: Table, index: readonly string[]): Promise<void> {
  const columns = [...new Set([...index.map((field) => columnName(table, field)), "key"])];
  const name = [table.name, ...columns].join("_");
  await client.query(`CREATE INDEX IF NOT EXISTS ${name} ON ${table.name} (${columns.join(", ")})`);
}
