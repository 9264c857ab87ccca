import { AppError, versionConflict } from "@pergola/sdk";
import type { Change, Entity, FindPlan } from "@pergola/sdk";
import type { PlainWrite, Row } from "../messages.ts";
import { columnName, indexName, type Catalog, type Table } from "./catalog.ts";
import { columnOf, columnValue, type ColumnValue } from "./column-value.ts";
import { orderSql, whereSql } from "./find-sql.ts";
import type { Statements } from "./statements.ts";

/** A body comes as text or as the bytes of one, and is always stored as text. */
const bodyPlace = "CAST(? AS TEXT)";

/** The statements that put a record. */
class PutStatements {
  /** Of a record that is not there yet: id, body, fields. */
  readonly insert: string;
  /** The fields of one that is there, by its id; undefined where there are none. */
  readonly fields: string | undefined;
  readonly #name: string;
  readonly #updates = new Map<string, string>();

  constructor({ name, fields }: Table) {
    const columns = fields.map((_, index) => `f${index}`);
    const places = [bodyPlace, ...columns.map(() => "?")];
    this.#name = name;
    this.insert =
      `INSERT INTO ${name} (${["id", "version", "body", ...columns].join(", ")}) ` +
      `VALUES (?, 1, ${places.join(", ")}) ON CONFLICT (id) DO NOTHING`;
    this.fields = fields.length === 0 ? undefined : `SELECT ${columns.join(", ")} FROM ${name} WHERE id = ?`;
  }

  /** Of one that is there: body, these fields by their numbers, id, and its version where that counts. */
  update(fields: readonly number[], hasVersion: boolean): string {
    const key = `${hasVersion} ${fields.join()}`;
    const found = this.#updates.get(key);
    if (found !== undefined) return found;
    const changes = [
      "version = version + 1",
      `body = ${bodyPlace}`,
      ...fields.map((field) => `f${field} = ?`),
    ];
    const condition = hasVersion ? "id = ? AND version = ?" : "id = ?";
    const made = `UPDATE ${this.#name} SET ${changes.join(", ")} WHERE ${condition}`;
    this.#updates.set(key, made);
    return made;
  }
}

const isSame = (held: ColumnValue | undefined, value: ColumnValue | undefined): boolean =>
  held === value || (Buffer.isBuffer(held) && Buffer.isBuffer(value) && held.equals(value));

const known = new WeakMap<Table, PutStatements>();

function putStatements(table: Table): PutStatements {
  const statements = known.get(table) ?? new PutStatements(table);
  known.set(table, statements);
  return statements;
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
    const values = this.#columnValues(table, write);
    const statements = putStatements(table);
    if (ifVersion === undefined || ifVersion === 0) {
      if (this.#changesOne(statements.insert, id, text, ...values)) return true;
      if (ifVersion === 0) return false;
    }
    const changed = this.#changedFields(statements, id, values);
    const update = statements.update(changed, ifVersion !== undefined);
    const condition = ifVersion === undefined ? [id] : [id, ifVersion];
    return this.#changesOne(update, text, ...changed.map((field) => values[field]!), ...condition);
  }

  /** Numbers of the fields that have other values: SQLite writes all indexes of those that it is given. */
  #changedFields({ fields }: PutStatements, id: string, values: readonly ColumnValue[]): readonly number[] {
    if (fields === undefined) return [];
    const held = this.#statements.get(fields).raw().get(id) as readonly ColumnValue[] | undefined;
    return [...values.keys()].filter((field) => !isSame(held?.[field], values[field]));
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
