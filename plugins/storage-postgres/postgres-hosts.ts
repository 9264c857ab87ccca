import type pg from "pg";
import { AppError, type Log, type Storage } from "@pergola/sdk";
import type { Database } from "./database.ts";
import { lockSql } from "./locks.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

export type StorageHosts = NonNullable<Storage["hosts"]>;
/** A name that a host has, with its number. */
export type Fence = Parameters<StorageHosts["release"]>[0];
export type WriteOptions = NonNullable<Parameters<Storage["commit"]>[1]>;

type Listener = Parameters<StorageHosts["watch"]>[0];
type Client = Pick<pg.ClientBase, "query">;

/** Milliseconds between two looks for what hosts that are gone have left. */
const lookInterval = 1000;

interface PostgresHostsOptions {
  readonly schema: string;
  readonly label: string;
  readonly log: Log;
}

/**
 * Names that hosts have for themselves. A host is there while somebody holds the lock of its number, which
 * its session does; a number is never given twice.
 */
export class PostgresHosts implements StorageHosts {
  readonly #options: PostgresHostsOptions;
  readonly #isGone: (number: string) => string;
  /** What this host has, as far as it knows: the numbers of its fences by their names. */
  readonly #held = new Map<string, string>();
  /** What it asks for at this moment. */
  readonly #asked = new Set<string>();
  /** What the database may believe this host to have though it does not: a request for it has failed. */
  readonly #doubtful = new Set<string>();
  readonly #listeners = new Set<Listener>();
  #database!: Database;
  #session!: Session;
  #looked = -Infinity;
  /** The last time that one of several names was asked for, one was free: the next may be guessed. */
  #wasFree = true;

  readonly label: string;

  constructor(options: PostgresHostsOptions) {
    this.#options = options;
    this.label = options.label;
    this.#isGone = (number) => lockSql(options.schema, "hosts", "pg_try_advisory_xact_lock_shared", number);
  }

  serve(database: Database, session: Session): void {
    this.#database = database;
    this.#session = session;
  }

  /**
   * The host has a session, and with it another number than before: it keeps what nobody has taken meanwhile.
   */
  async begin(client: Client, number: number): Promise<void> {
    await client.query("UPDATE hosts SET label = $2 WHERE number = $1", [number, this.#options.label]);
    if (this.#held.size === 0) return;
    const { rows } = await client.query<{ readonly name: string }>(
      `UPDATE claims SET host = $1 FROM unnest($2::text[], $3::bigint[]) AS held (name, number)
       WHERE claims.name = held.name AND claims.number = held.number RETURNING claims.name`,
      [number, [...this.#held.keys()], [...this.#held.values()]],
    );
    const kept = new Set(rows.map(({ name }) => name));
    const lost = [...this.#held.keys()].filter((name) => !kept.has(name));
    for (const name of lost) this.#held.delete(name);
    if (lost.length > 0) this.#tell("lost", lost);
  }

  /** Tells of what hosts that are gone have left, at most once a second. */
  async look(client: Client, own: number): Promise<void> {
    const now = performance.now();
    if (now - this.#looked < lookInterval) return;
    this.#looked = now;
    await this.#settle(client, own);
    if (this.#listeners.size === 0) return;
    const { rows } = await client.query<{ readonly name: string }>(
      `WITH hosts AS MATERIALIZED (SELECT DISTINCT host FROM claims WHERE host <> $1),
         gone AS MATERIALIZED (SELECT host FROM hosts WHERE ${this.#isGone("host")})
       SELECT name FROM claims JOIN gone USING (host) ORDER BY number LIMIT 1000`,
      [own],
    );
    if (rows.length > 0)
      this.#tell(
        "abandoned",
        rows.map(({ name }) => name),
      );
  }

  /** Gives back what this host does not have, whatever the database believes. */
  async #settle(client: Client, own: number): Promise<void> {
    const names = [...this.#doubtful].filter((name) => !this.#held.has(name) && !this.#asked.has(name));
    if (names.length === 0) return;
    // Nobody takes one of them meanwhile, which would be given back again at once.
    for (const name of names) this.#asked.add(name);
    try {
      await client.query("DELETE FROM claims WHERE host = $1 AND name = ANY ($2)", [own, names]);
      for (const name of names) this.#doubtful.delete(name);
    } finally {
      for (const name of names) this.#asked.delete(name);
    }
  }

  take(name: string): Promise<Fence | undefined> {
    return this.#takeName(name, () => this.#session.catchUp());
  }

  async #takeName(name: string, catchUp?: () => Promise<void>): Promise<Fence | undefined> {
    if (this.#held.has(name) || this.#asked.has(name)) return undefined;
    this.#asked.add(name);
    try {
      const fence = await this.#take(name);
      if (fence !== undefined) await catchUp?.();
      return fence;
    } catch (error) {
      this.#held.delete(name);
      this.#doubtful.add(name);
      throw error;
    } finally {
      this.#asked.delete(name);
    }
  }

  /** Asked for again after a connection ended, it finds what it has taken by then. */
  async #take(name: string): Promise<Fence | undefined> {
    const host = this.#session.number;
    if (host === undefined) throw this.#session.failure;
    const [taken] = await this.#database.read<{ readonly number: string }>(
      `INSERT INTO claims AS claim (name, host) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET host = excluded.host, number = nextval('fences')
       WHERE claim.host = excluded.host OR ${this.#isGone("claim.host")} RETURNING number`,
      [name, host],
    );
    if (taken === undefined) return undefined;
    this.#held.set(name, taken.number);
    return { name, number: taken.number };
  }

  async takeOne(names: readonly string[]): Promise<Fence | undefined> {
    const guessed = this.#wasFree ? await this.#takeAny(names) : undefined;
    const fence = guessed ?? (await this.#takeFree(names));
    this.#wasFree = fence !== undefined;
    return fence;
  }

  /** One that this host does not have, whether it is free or not. */
  async #takeAny(names: readonly string[]): Promise<Fence | undefined> {
    const others = names.filter((name) => !this.#held.has(name) && !this.#asked.has(name));
    const name = others[Math.floor(Math.random() * others.length)];
    return name === undefined ? undefined : this.#takeName(name);
  }

  async #takeFree(names: readonly string[]): Promise<Fence | undefined> {
    for (;;) {
      const own = [...this.#held.keys(), ...this.#asked];
      const [free] = await this.#database.read<{ readonly name: string }>(
        `SELECT name FROM unnest($1::text[]) AS name WHERE name <> ALL ($2::text[])
           AND NOT EXISTS (SELECT FROM claims WHERE claims.name = name.name AND NOT ${this.#isGone("host")})
         ORDER BY random() LIMIT 1`,
        [names, own],
      );
      if (free === undefined) return undefined;
      // Another host may have been faster.
      const fence = await this.#takeName(free.name);
      if (fence !== undefined) return fence;
    }
  }

  async release({ name, number }: Fence): Promise<void> {
    if (this.#held.get(name) === number) this.#held.delete(name);
    try {
      await this.#database.read("DELETE FROM claims WHERE name = $1 AND number = $2", [name, number]);
    } catch (error) {
      this.#doubtful.add(name);
      throw error;
    }
  }

  async holders(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map();
    const rows = await this.#database.read<{ readonly name: string; readonly label: string }>(
      `SELECT name, label FROM claims JOIN hosts ON hosts.number = host
       WHERE name = ANY($1) AND NOT ${this.#isGone("host")}`,
      [names],
    );
    return new Map(rows.map(({ name, label }) => [name, label]));
  }

  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(what: keyof Listener, names: readonly string[]): void {
    for (const listener of this.#listeners)
      try {
        listener[what](names);
      } catch (error) {
        this.#options.log.error({ error }, "a listener to hosts failed");
      }
  }
}

/** The same work, which does nothing and rejects once another host has the name of the fence. */
export const fencedBy =
  <T>(fence: Fence | undefined, work: (transaction: Transaction) => Promise<T>) =>
  async (transaction: Transaction): Promise<T> => {
    const [, done] = await Promise.all([fence && checkFence(transaction, fence), work(transaction)]);
    return done;
  };

/**
 * Rejects unless the host still has the name of a fence; nobody can take it before the transaction ends then.
 */
export async function checkFence(transaction: Transaction, { name, number }: Fence): Promise<void> {
  const held = await transaction.rows("SELECT FROM claims WHERE name = $1 AND number = $2 FOR SHARE", [
    name,
    number,
  ]);
  if (held.length === 1) return;
  const message = "Another host has taken this over.";
  throw new AppError({ code: "conflict", message, details: { fence: name } });
}
