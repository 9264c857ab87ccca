import { randomUUID } from "node:crypto";
import type pg from "pg";
import { PluginError, StorageWatchers, type JsonObject, type Storage, type StorageDoor } from "@pergola/sdk";
import { Catalog } from "./catalog.ts";
import { CommitQueue } from "./commit-queue.ts";
import { Database, Patience, placeName } from "./database.ts";
import { kindOf, refusalOf } from "./failure-of.ts";
import { lockData } from "./lock-data.ts";
import { PostgresHosts } from "./postgres-hosts.ts";
import { PostgresStorage } from "./postgres-storage.ts";
import { readSettings, type Settings } from "./read-settings.ts";
import { Session } from "./session.ts";

/** PostgreSQL 14: the first that ends a session which has been silent for too long. */
const oldest = 140_000;

/**
 * Opens a schema of a database, or makes it. Rejects with PluginError when it cannot be used; it is then left
 * as it was. A database that is away is waited for.
 */
export async function openPostgres(given: JsonObject, door: StorageDoor): Promise<Storage> {
  const settings = readSettings(given);
  const unlock = lockData(door.dataDirectory, "open");
  try {
    return await openDatabase(settings, door, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openDatabase(
  settings: Settings,
  { log, hostLabel = "" }: StorageDoor,
  unlock: () => void,
): Promise<Storage> {
  const where = placeName(settings);
  const instance = randomUUID();
  const watchers = new StorageWatchers(log);
  const catalog = new Catalog();
  const hosts = new PostgresHosts({ schema: settings.schema, label: hostLabel, log });
  const session = new Session({
    settings,
    instance,
    log,
    hosts,
    onChanges: (changes) => watchers.announce(changes),
  });
  const warn = (message: string): void => log.warn({ where }, message);
  const client = await openSession(session, settings, (one) => check(one, where, warn));
  await catalog.load(client);
  const database = new Database(settings, instance, log);
  const queue = new CommitQueue({ database, catalog, schema: settings.schema, instance }, (changes) => {
    watchers.announce(changes);
    if (changes.length > 0) session.notify();
  });
  hosts.serve(database, session);
  return new PostgresStorage({ database, catalog, queue, session, watchers, hosts, unlock });
}

async function openSession(
  session: Session,
  settings: Settings,
  check: (client: pg.Client) => Promise<void>,
): Promise<pg.Client> {
  for (const patience = new Patience(settings.wait); ;)
    try {
      return await session.open(check);
    } catch (error) {
      const isOver = kindOf(error).isAway !== true || !(await patience.next());
      if (isOver) throw refusalOf(error, placeName(settings));
    }
}

interface Server {
  readonly version: string;
  readonly encoding: string;
  readonly fsync: string;
  readonly isReadOnly: boolean;
}

async function check(client: pg.Client, where: string, warn: (message: string) => void): Promise<void> {
  const { rows } = await client.query<Server>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
      current_setting('fsync') AS fsync, current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
  );
  const { version, encoding, fsync, isReadOnly } = rows[0]!;
  const refuse = (reason: string, remedy: string): PluginError =>
    new PluginError("storage-postgres", "open", `the database ${where} ${reason}`, { remedy });
  if (Number(version) < oldest) throw refuse("is older than PostgreSQL 14", "Use a newer server.");
  if (encoding !== "UTF8")
    throw refuse(`has the encoding ${encoding}`, "Make a database with `createdb -E UTF8 -T template0`.");
  if (isReadOnly)
    throw refuse("is read-only", "Name the primary server under storage.url, or end its read-only state.");
  if (fsync !== "on") warn("fsync is off in the database: a loss of power may damage everything in it");
}
