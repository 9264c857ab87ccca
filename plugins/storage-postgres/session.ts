import { setTimeout } from "node:timers/promises";
import pg from "pg";
import type { AppError, Change, Log } from "@pergola/sdk";
import { ChangeFeed, type Ask } from "./change-feed.ts";
import { connectionConfig, placeName } from "./database.ts";
import { failureOf, unavailable } from "./failure-of.ts";
import { migrate } from "./migrate.ts";
import type { PostgresHosts } from "./postgres-hosts.ts";
import type { Settings } from "./read-settings.ts";

/** Milliseconds after which changes of other hosts are looked for, where no notice of them came. */
const pollInterval = 1000;

/** How often old rows of `changes` are removed, in milliseconds, and how old they are then. */
const pruneInterval = 300_000;
const pruneSql = "DELETE FROM changes WHERE at < now() - interval '1 hour'";

export interface SessionOptions {
  readonly settings: Settings;
  readonly instance: string;
  readonly log: Log;
  readonly hosts: Pick<PostgresHosts, "begin" | "look">;
  /** Is called with the changes of other hosts. */
  readonly onChanges: (changes: readonly Change[]) => void;
}

/**
 * A host's session: one connection of its own for as long as the host is open. It holds the lock of the
 * host's number, by which others know that the host lives; it hears notices of other hosts' changes, and
 * looks for them without one, too. The server ends the session of a host that has been silent for too long,
 * so that one that hangs does not keep its lock. When the connection ends it is made anew, with another
 * number and lock.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #feed: ChangeFeed;
  readonly #end = new AbortController();
  #client: pg.Client | undefined;
  #number: number | undefined;
  #polled: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;
  #loop: Promise<void> | undefined;
  #isNotifying = false;
  /** Why there is none; undefined while nobody knows. */
  #failure: unknown;
  #pruned = performance.now();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#feed = new ChangeFeed(options.instance);
  }

  /** The number of the host, while its session lives. */
  get number(): number | undefined {
    return this.#client && this.#number;
  }

  /** What it means that there is none. */
  get failure(): AppError {
    const known = this.#failure === undefined ? undefined : failureOf(this.#failure);
    if (known?.code === "storage_unavailable") return known;
    return unavailable("The database does not answer.");
  }

  /**
   * Resolves when everything that others have committed so far is told. Rejects with AppError, also while
   * there is no session.
   */
  async catchUp(): Promise<void> {
    if (this.#client === undefined) throw this.failure;
    await this.#poll(this.#client).catch((error: unknown) => {
      throw failureOf(error);
    });
  }

  /** Connects, and hands the connection to `check` before anything else. Rejects with any error. */
  async open(check: (client: pg.Client) => Promise<void>): Promise<pg.Client> {
    const client = this.#newClient();
    try {
      await client.connect();
      await check(client);
      await this.#begin(client);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.#loop ??= this.#watch();
    return client;
  }

  /** Tells other hosts that something has changed, soon. A notice may get lost: it is a hint. */
  notify(): void {
    const client = this.#client;
    if (client === undefined || this.#isNotifying) return;
    this.#isNotifying = true;
    const { settings, instance } = this.#options;
    client
      .query("SELECT pg_notify($1, $2)", [settings.schema, instance])
      .catch(() => undefined)
      .finally(() => (this.#isNotifying = false));
  }

  async close(): Promise<void> {
    this.#end.abort();
    this.#wake();
    await this.#loop;
    await this.#client?.end().catch(() => undefined);
  }

  /** Nothing that the session writes is worth a wait for the disk. */
  #newClient(): pg.Client {
    const { settings, instance } = this.#options;
    const { hostTimeout } = settings;
    const config = connectionConfig({ ...settings, synchronous: false }, instance);
    const options = `${config.options} -c idle_session_timeout=${hostTimeout}`;
    const client = new pg.Client({ ...config, options, query_timeout: hostTimeout });
    client.on("error", () => undefined);
    client.once("end", () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#wake();
    });
    client.on("notification", ({ payload }) => {
      if (payload !== instance) this.#wake();
    });
    return client;
  }

  async #begin(client: pg.Client): Promise<void> {
    const { settings, instance, log } = this.#options;
    const { schema } = settings;
    const note = (message: string): void => log.warn({ where: placeName(settings) }, message);
    const number = await migrate(client, { schema, instance, note });
    await client.query(`LISTEN ${schema}`);
    await this.#options.hosts.begin(client, number);
    this.#number = number;
    this.#client = client;
    this.#failure = undefined;
    await this.#poll(client);
  }

  async #watch(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#pause();
      if (signal.aborted) return;
      try {
        if (this.#client === undefined) await this.open(async () => undefined);
        else await this.#poll(this.#client);
        if (this.#client !== undefined) await this.#options.hosts.look(this.#client, this.#number!);
      } catch (error) {
        this.#failure = error;
        this.#drop();
        this.#options.log.debug({ error }, "the session of the database could not be used");
      }
    }
  }

  /** A connection over which nothing comes back is of no use any more. */
  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    void client?.end().catch(() => undefined);
  }

  /** Until a notice comes, or for a second. */
  async #pause(): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await setTimeout(pollInterval, undefined, { ref: false, signal: woken.signal }).catch(() => undefined);
  }

  #poll(client: pg.Client): Promise<void> {
    const polled = this.#polled.then(async () => this.#read(client));
    this.#polled = polled.catch(() => undefined);
    return polled;
  }

  async #read(client: pg.Client): Promise<void> {
    const ask: Ask = async <T extends object>(text: string, values: readonly unknown[]) =>
      (await client.query<T & pg.QueryResultRow>({ name: text.slice(0, 60), text, values: [...values] }))
        .rows;
    const changes = await this.#feed.next(ask);
    if (changes.length > 0) this.#options.onChanges(changes);
    if (performance.now() - this.#pruned < pruneInterval) return;
    this.#pruned = performance.now();
    await client.query(pruneSql);
  }
}
