import { AppError, type Entity, type Json, recordText, type Write } from "@pergola/sdk";
import type { Journal, Row } from "./journal.ts";

/** The rows of a commit before it is written. Later writes of the commit see the earlier ones. */
export class Draft {
  readonly rows: Row[] = [];
  readonly #journal: Journal;
  readonly #latest = new Map<string, Row>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The rows of a table that are not deleted. */
  all(table: string): readonly Row[] {
    const latest = [...this.#latest.values()].filter((row) => row.table === table);
    const others = this.#journal.all(table).filter(({ id }) => !this.#latest.has(keyOf(table, id)));
    return [...others, ...latest].filter(({ value }) => value !== null);
  }

  /** Throws AppError `conflict` when the condition of the write fails. */
  write(write: Exclude<Write, { readonly deleteWhere: unknown }>): void {
    const table = write.collection;
    const id = "put" in write ? write.put.id : write.delete;
    const found = this.#latest.get(keyOf(table, id)) ?? this.#journal.get(table, id);
    const version = found === undefined || found.value === null ? 0 : found.version;
    if (write.ifVersion !== undefined && write.ifVersion !== version) throw conflict(table, id);
    if ("put" in write) this.#add({ table, id, version: version + 1, value: valueOf(write.put) });
    else if (version > 0) this.delete(table, id);
  }

  delete(table: string, id: string): void {
    this.#add({ table, id, version: 0, value: null });
  }

  #add(row: Row): void {
    this.rows.push(row);
    this.#latest.set(keyOf(row.table, row.id), row);
  }
}

/** Ids never contain NUL. */
const keyOf = (table: string, id: string): string => `${table}\0${id}`;

/** A copy, so that nobody outside holds a piece of the store. */
const valueOf = (record: Entity): Json => JSON.parse(recordText(record)) as Json;

const conflict = (collection: string, id: string): AppError =>
  new AppError({
    code: "conflict",
    message: "The record was changed by somebody else in the meantime.",
    details: { collection, id },
  });
