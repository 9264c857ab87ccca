import { CodeList, codeOf } from "@pergola/kit-storage";
import { indexKey } from "../index-key.ts";
import type { SearchTable } from "./search-table.ts";

/** Bytes of codes that stay in memory, of the scopes that were searched last. */
const cacheBytes = 80 * 2 ** 20;

/** How many codes are read at a time. */
const pageSize = 20_000;

interface CodeRow {
  readonly row: number;
  readonly code: Buffer;
}

interface Kept {
  readonly list: CodeList;
  /** The snapshot up to which the codes were read. */
  place?: string;
}

/** How many rows of a scope are wanted that are near to a vector. */
export interface NearestQuery {
  readonly scope: string;
  readonly vector: Float32Array;
  readonly count: number;
}

const rowsSql = (table: string, where: string): string => `
  SELECT row::float8 AS row, code FROM ${table}
  WHERE scope = $1 AND length(code) = $2 AND ${where} LIMIT ${pageSize}`;

/** Codes that can be seen now and could not be at a place before. */
const newSql = (table: string): string => `
  SELECT pg_current_snapshot()::text AS place, coalesce((
    SELECT json_agg(json_build_object('row', row, 'code', encode(code, 'base64'))) FROM ${table}
    WHERE scope = $1 AND length(code) = $2 AND xid >= pg_snapshot_xmin($3::pg_snapshot)
      AND NOT pg_visible_in_snapshot(xid, $3::pg_snapshot)), '[]') AS rows`;

interface New {
  readonly place: string;
  readonly rows: readonly { readonly row: number; readonly code: string }[];
}

/**
 * The codes of large scopes in memory. A row is never given twice, so what was read stays true: what has come
 * since is read before each search, whichever host wrote it, and what is gone is not found when its vector is
 * asked for.
 */
export class VectorCodes {
  readonly #search: SearchTable;
  readonly #kept = new Map<string, Kept>();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(search: SearchTable) {
    this.#search = search;
  }

  /** Forgets a scope of which too much is gone. */
  forget(scope: string): void {
    for (const key of this.#kept.keys()) if (key.endsWith(`/${scope}`)) this.#kept.delete(key);
  }

  /**
   * Rows whose codes differ least from that of a vector: as many as wanted, and those that are as near as the
   * last of them.
   */
  async nearest({ scope, vector, count }: NearestQuery): Promise<readonly number[]> {
    const code = codeOf(vector);
    const key = `${code.length}/${scope}`;
    const kept = this.#kept.get(key) ?? { list: new CodeList(code.length) };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    // One after another: two that read the same codes would have them twice.
    const reading = this.#reading.then(async () => this.#readOn(kept, scope));
    this.#reading = reading.catch(() => this.#kept.delete(key));
    await reading;
    this.#makeRoom(kept);
    return kept.list.nearest(code, count);
  }

  async #readOn(kept: Kept, scope: string): Promise<void> {
    const table = await this.#search.table.ready();
    const values = [indexKey(scope), kept.list.words * Uint32Array.BYTES_PER_ELEMENT];
    const { database } = this.#search;
    if (kept.place === undefined) {
      const [now] = await database.read<New>("SELECT pg_current_snapshot()::text AS place", []);
      await this.#readAll(kept.list, table, values);
      kept.place = now!.place;
    }
    const [found] = await database.read<New>(newSql(table), [...values, kept.place]);
    for (const { row, code } of found!.rows) kept.list.append(row, Buffer.from(code, "base64"));
    kept.place = found!.place;
  }

  async #readAll(list: CodeList, table: string, values: readonly unknown[]): Promise<void> {
    for (let last = 0; ;) {
      const text = rowsSql(table, "row > $3 ORDER BY row");
      const rows = await this.#search.database.read<CodeRow>(text, [...values, last]);
      for (const { row, code } of rows) list.append(row, code);
      if (rows.length < pageSize) return;
      last = rows.at(-1)!.row;
    }
  }

  #makeRoom(newest: Kept): void {
    let bytes = [...this.#kept.values()].reduce((sum, { list }) => sum + list.bytes, 0);
    for (const [key, kept] of this.#kept) {
      if (bytes <= cacheBytes || kept === newest) return;
      this.#kept.delete(key);
      bytes -= kept.list.bytes;
    }
  }
}
