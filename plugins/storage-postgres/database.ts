import { setTimeout } from "node:timers/promises";
import pg from "pg";
import type { Log } from "@pergola/sdk";
import { failureOf, kindOf, unavailable } from "./failure-of.ts";
import type { Settings } from "./read-settings.ts";

/** Milliseconds between two attempts to reach a database that is away: at first, and at most. */
const firstPause = 25;
const longestPause = 500;

/** Milliseconds that making a connection may take. */
const connectTimeout = 5000;

/** Statements that a connection keeps prepared. */
const maxPrepared = 400;

/** Names without secrets where the database is. */
export const placeName = ({ host, port, database }: Settings): string =>
  host.startsWith("/") ? `${database} at ${host}` : `${database} at ${host}:${port}`;

/** How every connection of a host is made. */
export function connectionConfig(
  settings: Settings,
  instance: string,
): pg.ClientConfig & { options: string } {
  const { schema, synchronous, statementTimeout, hostTimeout } = settings;
  return {
    host: settings.host,
    port: settings.port,
    database: settings.database,
    user: settings.user,
    password: settings.password,
    ssl: settings.tls ?? false,
    application_name: `pergola ${instance}`,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    statement_timeout: statementTimeout,
    // Where the network swallows everything, not even the server's timeout is heard of.
    query_timeout: statementTimeout + connectTimeout,
    // A host that hangs keeps no lock by which others are kept from what it has.
    idle_in_transaction_session_timeout: Math.min(statementTimeout, hostTimeout),
    options: `-c search_path=${schema},public -c synchronous_commit=${synchronous ? "on" : "off"}`,
    pipeline: true,
  };
}

/** How often and how long to try to reach a database that is away. */
export class Patience {
  readonly #deadline: number;
  #pause = firstPause;

  constructor(milliseconds: number) {
    this.#deadline = performance.now() + milliseconds;
  }

  /** Waits for the next attempt; false = it has been tried long enough. */
  async next(): Promise<boolean> {
    const left = this.#deadline - performance.now();
    if (left <= 0) return false;
    await setTimeout(Math.min(this.#pause, left));
    this.#pause = Math.min(2 * this.#pause, longestPause);
    return true;
  }
}

/**
 * The connections of a host. While the database is known to be away, requests try once and fail at once; the
 * first that notices waits for it to come back.
 */
export class Database {
  readonly #pool: pg.Pool;
  readonly #wait: number;
  readonly #names = new Map<string, string>();
  #isAway = false;
  #isClosed = false;

  constructor(settings: Settings, instance: string, log: Log) {
    this.#wait = settings.wait;
    this.#pool = new pg.Pool({
      ...connectionConfig(settings, instance),
      // One more is the session's.
      max: settings.connections - 1,
      idleTimeoutMillis: 30_000,
    });
    // The requests on a connection hear of its end themselves.
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
    this.#pool.on("error", (error) => log.warn({ error }, "an idle connection to the database ended"));
  }

  patience(): Patience {
    return new Patience(this.#isAway ? 0 : this.#wait);
  }

  /** Remembers whether the last attempt reached the database. */
  notice(isAway: boolean): void {
    this.#isAway = isAway;
  }

  /** Throws AppError once the storage is closed. */
  check(): void {
    if (this.#isClosed) throw unavailable("The storage is closed.");
  }

  async connect(): Promise<pg.PoolClient> {
    return this.#pool.connect();
  }

  /** A statement that is prepared once for each connection and used again and again. */
  prepared(text: string, values: readonly unknown[]): pg.QueryConfig {
    const name = this.#names.get(text) ?? `s${this.#names.size}`;
    if (this.#names.size >= maxPrepared && !this.#names.has(text)) return { text, values: [...values] };
    this.#names.set(text, name);
    return { name, text, values: [...values] };
  }

  /**
   * The rows of a statement that changes nothing. Done anew where the connection ended. Rejects with
   * AppError.
   */
  async read<T extends object>(text: string, values: readonly unknown[]): Promise<readonly T[]> {
    return this.#retried(async () => (await this.#pool.query(this.prepared(text, values))).rows as T[]);
  }

  /** The same, planned anew each time for the values. */
  async readPlanned<T extends object>(text: string, values: readonly unknown[]): Promise<readonly T[]> {
    return this.#retried(async () => (await this.#pool.query(text, [...values])).rows as T[]);
  }

  async #retried<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    for (const patience = this.patience(); ;)
      try {
        const answer = await work();
        this.notice(false);
        return answer;
      } catch (error) {
        const isAway = kindOf(error).isAway === true;
        if (isAway && (await patience.next())) continue;
        if (isAway) this.notice(true);
        throw failureOf(error);
      }
  }

  /** From now on nothing new is taken. */
  refuse(): void {
    this.#isClosed = true;
  }

  /** Resolves when every connection is closed. */
  async end(): Promise<void> {
    await this.#pool.end();
  }
}
