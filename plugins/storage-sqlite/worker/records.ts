import { AppError } from "@pergola/sdk";
import type { Entity, FindPlan } from "@pergola/sdk";
import type { PlainWrite, Row, Touched } from "../messages.ts";
import { columnName, indexName, type Catalog, type Table } from "./catalog.ts";
import { columnOf, type ColumnValue } from "./column-value.ts";
import { orderSql, whereSql } from "./find-sql.ts";
import type { Statements } from "./statements.ts";

const conflict = (collection: string, id: string): AppError =>
  new AppError({
    code: "conflict",
    message: "The record was changed by somebody else in the meantime.",
    details: { collection, id },
  });

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

  /**
   * Carries out one write and says which records it touched. Throws AppError `conflict` when its condition
   * fails.
   */
  write(write: PlainWrite): readonly Touched[] {
    const { collection } = write;
    if ("deleteWhere" in write)
      return this.#deleteWhere(collection, write.deleteWhere).map((id) => ({
        collection,
        id,
        deleted: true,
      }));
    const table = this.#tableOf(collection);
    if ("put" in write) {
      if (!this.#put(table, write)) throw conflict(collection, write.put);
      return [{ collection, id: write.put, deleted: false }];
    }
    const deleted = this.#delete(table, write.delete, write.ifVersion);
    if (write.ifVersion !== undefined && deleted !== (write.ifVersion !== 0))
      throw conflict(collection, write.delete);
    return deleted ? [{ collection, id: write.delete, deleted }] : [];
  }

  /** False when the condition fails. */
  #put(table: Table, { put: id, text, ifVersion }: Extract<PlainWrite, { put: string }>): boolean {
    const values = this.#columnValues(table, text);
    const columns = table.fields.map((_, index) => `f${index}`);
    if (ifVersion !== undefined && ifVersion !== 0) {
      const changed = ["body", ...columns].map((column) => `${column} = ?`).join(", ");
      const set = `SET version = version + 1, ${changed}`;
      const update = `UPDATE ${table.name} ${set} WHERE id = ? AND version = ?`;
      return this.#statements.get(update).run(text, ...values, id, ifVersion).changes === 1;
    }
    const changed = ["body", ...columns].map((column) => `${column} = excluded.${column}`).join(", ");
    const repeated = ifVersion === 0 ? "DO NOTHING" : `DO UPDATE SET version = version + 1, ${changed}`;
    const places = ["?", "1", "?", ...columns.map(() => "?")].join(", ");
    const names = ["id", "version", "body", ...columns].join(", ");
    const insert =
      `INSERT INTO ${table.name} (${names}) VALUES (${places}) ` + `ON CONFLICT (id) ${repeated}`;
    return this.#statements.get(insert).run(id, text, ...values).changes === 1;
  }

  #columnValues({ fields }: Table, text: string): readonly ColumnValue[] {
    if (fields.length === 0) return [];
    const record = JSON.parse(text) as Entity;
    return fields.map((field) => columnOf(record, field));
  }

  /** Whether a record went, or with `ifVersion` 0 whether there is one. */
  #delete({ name }: Table, id: string, ifVersion: number | undefined): boolean {
    if (ifVersion === 0)
      return this.#statements.get(`SELECT 1 FROM ${name} WHERE id = ?`).get(id) !== undefined;
    if (ifVersion === undefined)
      return this.#statements.get(`DELETE FROM ${name} WHERE id = ?`).run(id).changes === 1;
    return (
      this.#statements.get(`DELETE FROM ${name} WHERE id = ? AND version = ?`).run(id, ifVersion).changes ===
      1
    );
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
    const from =
      plan.index.length === 0 ? table.name : `${table.name} INDEXED BY ${indexName(table, plan.index)}`;
    return { from, columns, where: whereSql(plan, columns) };
  }

  #tableOf(collection: string): Table {
    const table = this.#catalog.get(collection);
    if (table === undefined)
      throw new AppError({
        code: "storage_unavailable",
        message: `The collection ${collection} could not be prepared.`,
      });
    return table;
  }
}
