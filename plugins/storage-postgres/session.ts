import { setTimeout } from "node:timers/promises";
import pg from "pg";
import type { Change, Log } from "@pergola/sdk";
import { ChangeFeed, type Ask } from "./change-feed.ts";
import { connectionConfig } from "./database.ts";
import { lockSql } from "./locks.ts";
import { migrate } from "./migrate.ts";
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
  /** Is called with the changes of other hosts. */
  readonly onChanges: (changes: readonly Change[]) => void;
}

/**
 * A host's session: one connection of its own for as long as the host is open. It holds the lock of the
 * host's number, by which others know that the host lives; it hears notices of other hosts' changes, and
 * looks for them without one, too. When the connection ends it is made anew, and with it the lock.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #feed: ChangeFeed;
  readonly #end = new AbortController();
  #client: pg.Client | undefined;
  #wake: () => void = () => undefined;
  #loop: Promise<void> | undefined;
  #isNotifying = false;
  #pruned = performance.now();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#feed = new ChangeFeed(options.instance);
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
    const client = new pg.Client(connectionConfig({ ...settings, synchronous: false }, instance));
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
    const { settings, instance } = this.#options;
    const { schema } = settings;
    const number = await migrate(client, { schema, instance });
    await client.query(`SELECT ${lockSql(schema, "hosts", "pg_advisory_lock", number)}`);
    await client.query(`LISTEN ${schema}`);
    this.#client = client;
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
      } catch (error) {
        this.#options.log.debug({ error }, "the session of the database could not be used");
      }
    }
  }

  /** Until a notice comes, or for a second. */
  async #pause(): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await setTimeout(pollInterval, undefined, { ref: false, signal: woken.signal }).catch(() => undefined);
  }

  async #poll(client: pg.Client): Promise<void> {
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
