import { CodeList, codeOf } from "@pergola/kit-storage";
import type { SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";

/** Bytes of codes that stay in memory, of the scopes that were searched last. */
const cacheBytes = 80 * 2 ** 20;

/** How many codes are read at a time. */
const pageSize = 4096;

interface CodeRow {
  readonly row: number;
  readonly code: Buffer;
}

/** How many rows of a scope are wanted that are near to a vector. */
export interface NearestQuery {
  readonly scope: string;
  readonly vector: Float32Array;
  readonly count: number;
}

/**
 * The codes of large scopes in memory. A row is never given twice while a connection lives, so what was read
 * stays true: what has come since is read before each search, and what is gone is not found when its vector
 * is asked for.
 */
export class VectorCodes {
  readonly #lists = new Map<string, CodeList>();

  /** Forgets all, as after a transaction that was rolled back. */
  clear(): void {
    this.#lists.clear();
  }

  /** Forgets a scope of which too much is gone. */
  forget(table: SearchTable, scope: string): void {
    for (const key of this.#lists.keys())
      if (key.startsWith(`${table.name}/`) && key.endsWith(`/${scope}`)) this.#lists.delete(key);
  }

  /**
   * Rows whose codes differ least from that of a vector: as many as wanted, and those that are as near as the
   * last of them.
   */
  nearest(
    statements: Statements,
    table: SearchTable,
    { scope, vector, count }: NearestQuery,
  ): readonly number[] {
    const code = codeOf(vector);
    const key = `${table.name}/${code.length}/${scope}`;
    const list = this.#lists.get(key) ?? new CodeList(code.length);
    this.#lists.delete(key);
    this.#lists.set(key, list);
    this.#readOn(statements, table, scope, list);
    this.#makeRoom(list);
    return list.nearest(code, count);
  }

  #readOn(statements: Statements, { name }: SearchTable, scope: string, list: CodeList): void {
    const size = list.words * Uint32Array.BYTES_PER_ELEMENT;
    const next = statements.get(
      `SELECT row, code FROM ${name}_codes WHERE scope = ? AND row > ? AND ` +
        `length(code) = ${size} ORDER BY row LIMIT ${pageSize}`,
    );
    const read = (): readonly CodeRow[] => next.all(scope, list.lastRow) as CodeRow[];
    for (let page = read(); page.length > 0; page = read())
      for (const { row, code } of page) list.append(row, code);
  }

  #makeRoom(newest: CodeList): void {
    let bytes = [...this.#lists.values()].reduce((sum, list) => sum + list.bytes, 0);
    for (const [key, list] of this.#lists) {
      if (bytes <= cacheBytes || list === newest) return;
      this.#lists.delete(key);
      bytes -= list.bytes;
    }
  }
}
