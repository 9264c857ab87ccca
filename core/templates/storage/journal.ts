import { appendFileSync, closeSync, fsyncSync, ftruncateSync, openSync, readFileSync } from "node:fs";
import { AppError, PluginError, type Json } from "@pergola/sdk";

/** The state of one record, search document or blob. */
export interface Row {
  readonly table: string;
  readonly id: string;
  /** Counts the writes, from 1. */
  readonly version: number;
  /** Null when it was deleted. */
  readonly value: Json;
}

/**
 * A file with one line for each commit, and the rows that result from it, in memory. Work is synchronous: a
 * commit is in the file, and the file on the disk, before anybody sees its rows.
 */
export class Journal {
  readonly #tables = new Map<string, Map<string, Row>>();
  readonly #file: number;
  #length: number;
  #isClosed = false;

  constructor(file: string) {
    this.#file = openSync(file, "a+");
    const bytes = readFileSync(file);
    this.#length = bytes.lastIndexOf("\n") + 1;
    for (const line of bytes.subarray(0, this.#length).toString().split("\n").slice(0, -1))
      this.#apply(rowsOf(line, file));
    // A crash can leave half a line at the end: a commit that nobody was told of.
    ftruncateSync(this.#file, this.#length);
  }

  get(table: string, id: string): Row | undefined {
    return this.#rows(table).get(id);
  }

  all(table: string): readonly Row[] {
    return [...this.#rows(table).values()];
  }

  /** All rows or none. */
  append(rows: readonly Row[]): void {
    this.#check();
    if (rows.length === 0) return;
    const line = Buffer.from(`${JSON.stringify(rows)}\n`);
    try {
      appendFileSync(this.#file, line);
      fsyncSync(this.#file);
    } catch (cause) {
      ftruncateSync(this.#file, this.#length);
      throw new AppError({ code: "storage_unavailable", message: "The journal cannot be written.", cause });
    }
    this.#length += line.length;
    this.#apply(rows);
  }

  close(): void {
    if (!this.#isClosed) closeSync(this.#file);
    this.#isClosed = true;
  }

  #rows(table: string): Map<string, Row> {
    this.#check();
    const rows = this.#tables.get(table) ?? new Map<string, Row>();
    this.#tables.set(table, rows);
    return rows;
  }

  #apply(rows: readonly Row[]): void {
    for (const row of rows) {
      if (row.value === null) this.#rows(row.table).delete(row.id);
      else this.#rows(row.table).set(row.id, row);
    }
  }

  #check(): void {
    if (this.#isClosed)
      throw new AppError({ code: "storage_unavailable", message: "The storage is closed." });
  }
}

function rowsOf(line: string, file: string): readonly Row[] {
  try {
    return JSON.parse(line) as readonly Row[];
  } catch (cause) {
    throw new PluginError("pergola-storage-sample-name", "open", `${file} is damaged.`, {
      remedy: "Put back a copy of the file from a backup.",
      cause,
    });
  }
}
