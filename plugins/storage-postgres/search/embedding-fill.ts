import { setTimeout } from "node:timers/promises";
import type { PoolClient } from "pg";
import { floatsOf } from "@pergola/kit-storage";
import { embeddingText } from "../pgvector.ts";
import type { SearchTable } from "./search-table.ts";

/** Vectors that are written into the column at a time, and milliseconds between two pages. */
const [page, pause] = [200, 50];

/**
 * Fills the column of vectors that were there before it, or that an older host wrote: a page at a time, in
 * transactions of its own, with room for others between. Asked again while it works, it does nothing more.
 */
export class EmbeddingFill {
  readonly #search: SearchTable;
  #working = false;

  constructor(search: SearchTable) {
    this.#search = search;
  }

  ask(): void {
    if (this.#working) return;
    this.#working = true;
    void this.#fill().finally(() => (this.#working = false));
  }

  async #fill(): Promise<void> {
    try {
      const table = await this.#search.table.ready();
      let last: string | undefined = "0";
      while (last !== undefined) {
        last = await this.#transact(table, last);
        await setTimeout(pause, undefined, { ref: false });
      }
    } catch {
      // The storage closes, or the database is away: the next search asks again.
    }
  }

  async #transact(table: string, after: string): Promise<string | undefined> {
    const { database } = this.#search;
    database.check();
    const client = await database.connect();
    try {
      await client.query("BEGIN");
      const last = await this.#fillPage(client, table, after);
      await client.query("COMMIT");
      client.release();
      return last;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** The last row of the page; undefined where it was the last page. */
  async #fillPage(client: PoolClient, table: string, after: string): Promise<string | undefined> {
    const vectors = this.#search.vectors();
    if (vectors === undefined) return undefined;
    const { rows } = await client.query<{ readonly row: string; readonly vector: Buffer }>(
      `SELECT row, vector FROM ${table} WHERE embedding IS NULL AND vector IS NOT NULL AND row > $1
        ORDER BY row LIMIT ${page} FOR UPDATE SKIP LOCKED`,
      [after],
    );
    await client.query(
      `UPDATE ${table} AS document SET embedding = given.text::${vectors}.vector
        FROM unnest($1::bigint[], $2::text[]) AS given (row, text) WHERE document.row = given.row`,
      [rows.map(({ row }) => row), rows.map(({ vector }) => embeddingText(floatsOf(vector)))],
    );
    return rows.length < page ? undefined : rows.at(-1)!.row;
  }
}
