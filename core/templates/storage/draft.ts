import { type Change, type Entity, type Json, recordText, versionConflict } from "@pergola/sdk";
import type { Journal, Row } from "./journal.ts";

/** The table of the journal that holds the records of a collection. */
export const recordTable = (collection: string): string => `records/${collection}`;

/** The rows of a commit before it is written. Later writes of the commit see the earlier ones. */
export class Draft {
  readonly rows: Row[] = [];
  readonly changes: Change[] = [];
  readonly #journal: Journal;
  readonly #latest = new Map<string, Row>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The rows of a collection that are not deleted. */
  all(collection: string): readonly Row[] {
    const table = recordTable(collection);
    const rows = new Map(this.#journal.all(table).map((row) => [row.id, row]));
    for (const row of this.#latest.values()) if (row.table === table) rows.set(row.id, row);
    return [...rows.values()].filter(({ value }) => value !== null);
  }

  /** Throws AppError `conflict` when the record does not have the version that is asked for. */
  put(collection: string, record: Entity, ifVersion?: number): void {
    const version = this.#checkedVersion(collection, record.id, ifVersion);
    // A copy, so that nobody outside holds a piece of the store.
    const value = JSON.parse(recordText(record)) as Json;
    this.#add(collection, { id: record.id, version: version + 1, value });
  }

  /** Throws AppError `conflict` when the record does not have the version that is asked for. */
  delete(collection: string, id: string, ifVersion?: number): void {
    const version = this.#checkedVersion(collection, id, ifVersion);
    if (version > 0) this.#add(collection, { id, version: 0, value: null });
  }

  /** 0 = there is no such record. */
  #checkedVersion(collection: string, id: string, ifVersion: number | undefined): number {
    const table = recordTable(collection);
    const found = this.#latest.get(keyOf(table, id)) ?? this.#journal.get(table, id);
    const version = found?.version ?? 0;
    if (version !== (ifVersion ?? version)) throw versionConflict(collection, id);
    return version;
  }

  #add(collection: string, state: Omit<Row, "table">): void {
    const row = { table: recordTable(collection), ...state };
    this.rows.push(row);
    this.changes.push({ collection, id: row.id, deleted: row.value === null });
    this.#latest.set(keyOf(row.table, row.id), row);
  }
}

/** Ids never contain NUL. */
const keyOf = (table: string, id: string): string => `${table}\0${id}`;
