import { floatsOf } from "@pergola/kit-storage";
import type { CommitQueue } from "../commit-queue.ts";
import type { NamedTable } from "../named-table.ts";
import { embeddingText } from "../pgvector.ts";
import type { Transaction } from "../transaction.ts";
import type { SearchTable } from "./search-table.ts";

/** Vectors that are written into the column at a time. */
const page = 200;

/**
 * Fills the column of vectors that were there before it, or that an older host wrote, a page at a time beside
 * other writes. Asked again while it works, it goes on until nothing is left.
 */
export class EmbeddingFill {
  readonly #search: SearchTable;
  readonly #queue: CommitQueue;
  #working = false;

  constructor(search: SearchTable, queue: CommitQueue) {
    this.#search = search;
    this.#queue = queue;
  }

  ask(): void {
    if (this.#working) return;
    this.#working = true;
    void this.#fill().finally(() => (this.#working = false));
  }

  async #fill(): Promise<void> {
    const { table } = this.#search;
    try {
      let last: string | undefined = "0";
      while (last !== undefined) last = await this.#askPage(table, last);
    } catch {
      // The storage closes, or the database is away: the next search asks again.
    }
  }

  #askPage(table: NamedTable, after: string): Promise<string | undefined> {
    return this.#queue.ask([], (transaction) =>
      this.#fillPage(transaction, table.in(transaction.catalog), after),
    );
  }

  /** The last row of the page; undefined where it was the last page. */
  async #fillPage({ client }: Transaction, table: string, after: string): Promise<string | undefined> {
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
