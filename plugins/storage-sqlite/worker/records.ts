import { AppError, versionConflict } from "@pergola/sdk";
import type { Change, Entity, FindPlan } from "@pergola/sdk";
import type { PlainWrite, Row } from "../messages.ts";
import { columnName, indexName, type Catalog, type Table } from "./catalog.ts";
import { columnOf, columnValue, type ColumnValue } from "./column-value.ts";
import { orderSql, whereSql } from "./find-sql.ts";
import type { Statements } from "./statements.ts";

/** The statements that put a record: where there is none, whatever is there, and in place of a version. */
interface PutStatements {
  readonly insert: string;
  readonly upsert: string;
  readonly update: string;
}

const known = new WeakMap<Table, PutStatements>();

/** Their values are the body, the fields in their order, and the id: first, or in `update` last. */
function putStatements(table: Table): PutStatements {
  const found = known.get(table);
  if (found !== undefined) return found;
  const { name, fields } = table;
  const columns = ["body", ...fields.map((_, index) => `f${index}`)];
  // A body comes as text or as the bytes of one, and is always stored as text.
  const places = ["CAST(? AS TEXT)", ...fields.map(() => "?")];
  const insert =
    `INSERT INTO ${name} (id, version, ${columns.join(", ")}) VALUES (?, 1, ${places.join(", ")}) ` +
    "ON CONFLICT (id) DO ";
  const changed = columns.map((column, index) => `${column} = ${places[index]}`).join(", ");
  const taken = columns.map((column) => `${column} = excluded.${column}`).join(", ");
  const made = {
    insert: `${insert}NOTHING`,
    upsert: `${insert}UPDATE SET version = version + 1, ${taken}`,
    update: `UPDATE ${name} SET version = version + 1, ${changed} WHERE id = ? AND version = ?`,
  };
  known.set(table, made);
  return made;
}

/** Reading and writing records. Writes belong inside a transaction that the caller ends. */
export class Records {
  readonly #catalog: Catalog;
  readonly #statements: Statements;

  constructor(catalog: Catalog, statements: Statements) {
    this.#catalog = catalog;
    this.#statements = statements;
  }

  get(collection: string, id: string): Row | undefined {
    const { name } = this.#tableOf(collection);
    return this.#statements.get(`SELECT body, version FROM ${name} WHERE id = ?`).raw().get(id) as
      Row | undefined;
  }

  find(collection: string, plan: FindPlan): readonly Row[] {
    const { from, where, columns } = this.#query(collection, plan);
    const text = `SELECT body, version FROM ${from}${where.text}${orderSql(plan, columns)} LIMIT ? OFFSET ?`;
    return this.#statements
      .get(text)
      .raw()
      .all(...where.values, plan.limit, plan.offset) as Row[];
  }

  count(collection: string, plan: FindPlan): number {
    const { from, where } = this.#query(collection, plan);
    return this.#statements
      .get(`SELECT count(*) FROM ${from}${where.text}`)
      .pluck()
      .get(...where.values) as number;
  }

  /** Carries out one write and says what changed. Throws AppError `conflict` when its condition fails. */
  write(write: PlainWrite): readonly Change[] {
    const { collection } = write;
    if ("deleteWhere" in write) {
      const ids = this.#deleteWhere(collection, write.deleteWhere);
      return ids.map((id) => ({ collection, id, deleted: true }));
    }
    const table = this.#tableOf(collection);
    if ("put" in write) {
      if (!this.#put(table, write)) throw versionConflict(collection, write.put);
      return [{ collection, id: write.put, deleted: false }];
    }
    const { delete: id, ifVersion } = write;
    const found = this.#delete(table, id, ifVersion);
    if (ifVersion !== undefined && found !== (ifVersion !== 0)) throw versionConflict(collection, id);
    if (!found) return [];
    return [{ collection, id, deleted: true }];
  }

  /** False when the condition fails. */
  #put(table: Table, write: Extract<PlainWrite, { put: string }>): boolean {
    const { put: id, text, ifVersion } = write;
    const values: readonly (ColumnValue | Uint8Array)[] = [text, ...this.#columnValues(table, write)];
    const { insert, upsert, update } = putStatements(table);
    if (ifVersion === undefined) return this.#changesOne(upsert, id, ...values);
    if (ifVersion === 0) return this.#changesOne(insert, id, ...values);
    return this.#changesOne(update, ...values, id, ifVersion);
  }

  /** A record is read only where its writer does not know all columns of the file. */
  #columnValues(
    { fields }: Table,
    { text, columns = {} }: Extract<PlainWrite, { put: string }>,
  ): readonly ColumnValue[] {
    if (fields.every((field) => Object.hasOwn(columns, field)))
      return fields.map((field) => columnValue(columns[field] ?? null));
    const record = JSON.parse(typeof text === "string" ? text : Buffer.from(text).toString()) as Entity;
    return fields.map((field) => columnOf(record, field));
  }

  /** Whether a record went, or with `ifVersion` 0 whether there is one. */
  #delete({ name }: Table, id: string, ifVersion: number | undefined): boolean {
    if (ifVersion === 0)
      return this.#statements.get(`SELECT 1 FROM ${name} WHERE id = ?`).get(id) !== undefined;
    if (ifVersion === undefined) return this.#changesOne(`DELETE FROM ${name} WHERE id = ?`, id);
    return this.#changesOne(`DELETE FROM ${name} WHERE id = ? AND version = ?`, id, ifVersion);
  }

  #changesOne(text: string, ...values: readonly (ColumnValue | Uint8Array)[]): boolean {
    return this.#statements.get(text).run(...values).changes === 1;
  }

  #deleteWhere(collection: string, plan: FindPlan): readonly string[] {
    const { from, where } = this.#query(collection, plan);
    return this.#statements
      .get(`DELETE FROM ${from}${where.text} RETURNING id`)
      .pluck()
      .all(...where.values) as string[];
  }

  #query(collection: string, plan: FindPlan) {
    const table = this.#tableOf(collection);
    const columns = (field: string): string => columnName(table, field);
    let from = table.name;
    if (plan.index.length > 0) from += ` INDEXED BY ${indexName(table, plan.index)}`;
    return {
      from,
      columns,
      where: whereSql(plan, columns),
    };
  }

  #tableOf(collection: string): Table {
    const table = this.#catalog.get(collection);
    if (table !== undefined) return table;
    throw new AppError({
      code: "storage_unavailable",
      message: `The collection ${collection} could not be prepared.`,
    });
  }
}
