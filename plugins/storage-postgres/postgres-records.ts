import { Declaration, idToFind } from "@pergola/kit-storage";
import {
  AppError,
  indexValueOf,
  mergeIndexes,
  planFind,
  recordFrom,
  recordText,
  versionConflict,
} from "@pergola/sdk";
import type { Change, Entity, FindOptions, FindPlan, IndexValue, Stored, Write } from "@pergola/sdk";
import { columnName, type Catalog, type Table } from "./catalog.ts";
import type { CommitQueue } from "./commit-queue.ts";
import type { Database } from "./database.ts";
import { orderSql, parameters, whereSql } from "./find-sql.ts";
import { cutKey, idOfKey, indexKey } from "./index-key.ts";
import type { Transaction } from "./transaction.ts";

type Filter = Readonly<Record<string, unknown>>;

interface RecordRow {
  readonly body: string;
  readonly version: number;
}

/** One write of a commit, checked and made plain: what it changes, once it is carried out. */
export type PlainWrite = (transaction: Transaction) => Promise<readonly Change[]>;

interface Put {
  readonly id: string;
  readonly text: string;
  readonly columns: Readonly<Record<string, IndexValue>>;
  readonly ifVersion: number | undefined;
}

export interface RecordsHost {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly queue: CommitQueue;
}

/** One collection: checks queries and records, and turns them into statements. */
export class PostgresRecords {
  readonly #collection: string;
  readonly #host: RecordsHost;
  readonly #declaration = new Declaration();
  #indexes: readonly (readonly string[])[] = [];
  /** Those that the indexes are on. */
  #fields: ReadonlySet<string> = new Set();

  constructor(collection: string, host: RecordsHost) {
    this.#collection = collection;
    this.#host = host;
  }

  /** The name under which reads wait for writes. */
  get place(): string {
    return `records/${this.#collection}`;
  }

  declare(indexes: readonly (readonly string[])[]): void {
    const all = mergeIndexes(this.#indexes, indexes);
    if (all.length > this.#indexes.length) this.#declaration.renew();
    this.#indexes = all;
    this.#fields = new Set(all.flat());
    this.#prepare();
  }

  async get(id: string): Promise<Stored<Entity> | undefined> {
    const { name } = await this.#ready();
    const rows = await this.#host.database.read<RecordRow>(
      `SELECT body, version FROM ${name} WHERE key = $1`,
      [indexKey(idToFind(id))],
    );
    return rows[0] && recordFrom(rows[0].body, rows[0].version);
  }

  async find(filter: Filter, options?: FindOptions<Entity>): Promise<readonly Stored<Entity>[]> {
    const plan = this.#plan(filter, options);
    const table = await this.#ready();
    const { where, columns, bind, values } = sqlOf(table, plan);
    const page = Number.isFinite(plan.limit) ? ` LIMIT ${bind(plan.limit)} OFFSET ${bind(plan.offset)}` : "";
    const text = `SELECT body, version FROM ${table.name}${where}${orderSql(plan, columns)}${page}`;
    const rows = await this.#host.database.read<RecordRow>(text, values);
    return rows.map(({ body, version }) => recordFrom(body, version));
  }

  async count(filter: Filter): Promise<number> {
    const plan = this.#plan(filter);
    const table = await this.#ready();
    const { where, values } = sqlOf(table, plan);
    const rows = await this.#host.database.read<{ readonly count: string }>(
      `SELECT count(*) AS count FROM ${table.name}${where}`,
      values,
    );
    return Number(rows[0]?.count);
  }

  /** A write as it is carried out. Throws AppError for a record or a filter that cannot be. */
  plain(write: Write): PlainWrite {
    this.#prepare();
    const collection = this.#collection;
    const { ifVersion } = write as { readonly ifVersion?: number };
    if ("deleteWhere" in write) {
      const plan = this.#plan(write.deleteWhere);
      return async (transaction) =>
        deleteWhere(transaction, this.#tableOf(transaction.catalog), collection, plan);
    }
    if ("put" in write) {
      const { id } = write.put;
      const put = { id, text: recordText(write.put), columns: this.#columnsOf(write.put), ifVersion };
      return async (transaction) => {
        const table = this.#tableOf(transaction.catalog);
        if (!(await putRecord(transaction, table, put))) throw versionConflict(collection, id);
        return [{ collection, id, deleted: false }];
      };
    }
    const id = idToFind(write.delete);
    return async (transaction) => {
      const table = this.#tableOf(transaction.catalog);
      const found = await deleteRecord(transaction, table, id, ifVersion);
      if (ifVersion !== undefined && found !== (ifVersion !== 0)) throw versionConflict(collection, id);
      return found ? [{ collection, id, deleted: true }] : [];
    };
  }

  #columnsOf(record: Entity): Readonly<Record<string, IndexValue>> {
    return Object.fromEntries([...this.#fields].map((field) => [field, indexValueOf(record, field)]));
  }

  #plan(filter: Filter, options?: FindOptions<Entity>): FindPlan {
    return planFind({ collection: this.#collection, indexes: this.#indexes, filter, options });
  }

  /** The table, once everything that was to be written to it before is. */
  async #ready(): Promise<Table> {
    this.#host.database.check();
    this.#prepare();
    await this.#host.queue.written(this.place);
    return this.#tableOf(this.#host.catalog);
  }

  #prepare(): void {
    const { catalog, queue } = this.#host;
    const [collection, indexes] = [this.#collection, this.#indexes];
    if (catalog.has(collection, indexes)) return;
    this.#declaration.send(() =>
      queue.ask(
        [this.place],
        async ({ client, catalog: known }) => known.declare(client, collection, indexes),
        true,
      ),
    );
  }

  #tableOf(catalog: Catalog): Table {
    const table = catalog.collection(this.#collection);
    if (table !== undefined && catalog.has(this.#collection, this.#indexes)) return table;
    throw new AppError({
      code: "storage_unavailable",
      message: `The collection ${this.#collection} could not be prepared.`,
    });
  }
}

function sqlOf(table: Table, plan: FindPlan) {
  const columns = (field: string): string => columnName(table, field);
  const { values, bind } = parameters();
  return { where: whereSql(plan, columns, bind), columns, values, bind };
}

/** A record is read only where its writer does not know all columns of the database. */
function columnKeys({ fields }: Table, { text, columns }: Put): readonly Buffer[] {
  if (fields.every((field) => Object.hasOwn(columns, field)))
    return fields.map((field) => indexKey(columns[field] ?? null));
  const record = JSON.parse(text) as Entity;
  return fields.map((field) => indexKey(indexValueOf(record, field)));
}

/** False when its condition fails. */
async function putRecord(transaction: Transaction, table: Table, put: Put): Promise<boolean> {
  const { id, text, ifVersion } = put;
  const columns = ["body", ...table.fields.map((_, index) => `f${index}`)];
  const values = [indexKey(id), text, ...columnKeys(table, put)];
  if (ifVersion !== undefined && ifVersion !== 0) {
    const changed = columns.map((column, at) => `${column} = $${at + 2}`).join(", ");
    const update =
      `UPDATE ${table.name} SET version = version + 1, ${changed} ` +
      `WHERE key = $1 AND version = $${values.length + 1}`;
    return (await transaction.count(update, [...values, ifVersion])) === 1;
  }
  const places = values.map((_, at) => `$${at + 1}`).join(", ");
  const insert =
    `INSERT INTO ${table.name} AS record (version, key, ${columns.join(", ")}) VALUES (1, ${places}) ` +
    "ON CONFLICT (key) DO ";
  if (ifVersion === 0) return (await transaction.count(`${insert}NOTHING`, values)) === 1;
  const changed = columns.map((column) => `${column} = excluded.${column}`).join(", ");
  return (
    (await transaction.count(`${insert}UPDATE SET version = record.version + 1, ${changed}`, values)) === 1
  );
}

/**
 * Whether a record went, or with `ifVersion` 0 whether there is one. That there is none holds until the end
 * of the transaction: a record that is made and deleted keeps others from making it.
 */
async function deleteRecord(
  transaction: Transaction,
  { name }: Table,
  id: string,
  ifVersion: number | undefined,
): Promise<boolean> {
  const key = indexKey(id);
  if (ifVersion === undefined)
    return (await transaction.count(`DELETE FROM ${name} WHERE key = $1`, [key])) === 1;
  const remove = `DELETE FROM ${name} WHERE key = $1 AND version = $2`;
  if (ifVersion !== 0) return (await transaction.count(remove, [key, ifVersion])) === 1;
  const insert = `INSERT INTO ${name} (key, version, body) VALUES ($1, 0, '') ON CONFLICT (key) DO NOTHING`;
  const [made] = await Promise.all([transaction.count(insert, [key]), transaction.count(remove, [key, 0])]);
  return made === 0;
}

interface DeletedRow {
  readonly key: Buffer;
  /** Of a record whose key does not tell its id. */
  readonly body: string | null;
}

async function deleteWhere(
  transaction: Transaction,
  table: Table,
  collection: string,
  plan: FindPlan,
): Promise<readonly Change[]> {
  const { where, values } = sqlOf(table, plan);
  const body = `CASE WHEN length(key) >= ${cutKey} THEN body END AS body`;
  const text = `DELETE FROM ${table.name}${where} RETURNING key, ${body}`;
  const rows = await transaction.rows<DeletedRow>(text, values);
  const idOf = ({ key, body }: DeletedRow): string =>
    body === null ? idOfKey(key) : (JSON.parse(body) as Entity).id;
  return rows.map((row) => ({ collection, id: idOf(row), deleted: true }));
}
