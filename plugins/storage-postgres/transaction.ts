import type pg from "pg";
import type { Change } from "@pergola/sdk";
import type { Catalog } from "./catalog.ts";
import type { Database } from "./database.ts";

/**
 * A transaction that is open on a connection. Statements that are asked for together are sent together, and
 * carried out in their order.
 */
export class Transaction {
  readonly client: pg.PoolClient;
  readonly catalog: Catalog;
  readonly changes: Change[] = [];
  readonly #database: Database;

  constructor(client: pg.PoolClient, catalog: Catalog, database: Database) {
    this.client = client;
    this.catalog = catalog;
    this.#database = database;
  }

  /** How many rows a statement wrote. */
  async count(text: string, values: readonly unknown[]): Promise<number> {
    return (await this.client.query(this.#database.prepared(text, values))).rowCount ?? 0;
  }

  async rows<T extends object>(text: string, values: readonly unknown[]): Promise<readonly T[]> {
    return (await this.client.query(this.#database.prepared(text, values))).rows as T[];
  }
}

/** One request to write. It may be run again, in another transaction, where the first one came to nothing. */
export interface Work {
  /** It makes tables or indexes: nobody else writes meanwhile, on no host. */
  readonly isAlone: boolean;
  readonly run: (transaction: Transaction) => Promise<unknown>;
}

export type Outcome = { readonly answer: unknown } | { readonly error: unknown };

/** What came of the requests of a transaction, and what they changed. */
export interface BatchResult {
  readonly outcomes: readonly Outcome[];
  readonly changes: readonly Change[];
}

/** Why a transaction came to nothing, or may have. */
export class BatchFailure extends Error {
  /** What came of it if it was committed, with the number of its row in `changes`. */
  readonly unsure: (BatchResult & { readonly number: string }) | undefined;

  constructor(cause: unknown, unsure?: BatchFailure["unsure"]) {
    super("the transaction failed", { cause });
    this.unsure = unsure;
  }
}
