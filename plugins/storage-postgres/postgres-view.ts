import pg from "pg";
import { PluginError, type JsonObject, type StorageDefinition } from "@pergola/sdk";
import { connectionConfig, placeName } from "./database.ts";
import { refusalOf } from "./failure-of.ts";
import { indexKey } from "./index-key.ts";
import { lockKey } from "./locks.ts";
import { readSettings, type Settings } from "./read-settings.ts";

export type StorageView = Awaited<ReturnType<NonNullable<StorageDefinition["view"]>>>;
type OpenRun = Awaited<ReturnType<StorageView["openRuns"]>>[number];
type SharedHost = Awaited<ReturnType<StorageView["hosts"]>>[number];

interface HostRow {
  readonly label: string | null;
  readonly opened: Date | null;
  readonly seen: Date | null;
  readonly silent: number | null;
  readonly unread: string | null;
  readonly alive: boolean;
  readonly names: readonly string[];
}

/**
 * Hosts by their locks, which only their sessions hold; what a session did last tells when the server heard
 * of it. A host whose row is gone may have left claims. `$1` and `$2` are the class of the locks and the
 * first number of a host's lock.
 */
const hostsSql = `
  WITH sessions AS (
    SELECT lock.objid::bigint - $2 AS host, activity.state_change AS seen
    FROM pg_locks lock LEFT JOIN pg_stat_activity activity USING (pid)
    WHERE lock.locktype = 'advisory' AND lock.classid::bigint = $1 AND lock.objsubid = 2 AND lock.granted
      AND lock.mode = 'ExclusiveLock' AND lock.objid::bigint >= $2
      AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())),
  claimed AS (SELECT host, array_agg(name ORDER BY number) AS names FROM claims GROUP BY host),
  known AS (SELECT number AS host FROM hosts UNION SELECT host FROM claimed)
  SELECT hosts.label, hosts.opened, sessions.seen, sessions.host IS NOT NULL AS alive,
    extract(epoch FROM clock_timestamp() - sessions.seen)::float8 * 1000 AS silent,
    (SELECT count(*) FROM changes WHERE at > sessions.seen AND changes.host <> hosts.instance) AS unread,
    coalesce(claimed.names, '{}') AS names
  FROM known LEFT JOIN hosts ON hosts.number = known.host LEFT JOIN sessions USING (host)
    LEFT JOIN claimed USING (host)
  WHERE sessions.host IS NOT NULL OR claimed.host IS NOT NULL ORDER BY known.host`;

/** Looks at a schema from outside. Rejects with PluginError where the database cannot be reached. */
export async function viewPostgres(given: JsonObject): Promise<StorageView> {
  const settings = readSettings(given);
  const config = connectionConfig(settings, "view");
  const options = `${config.options} -c default_transaction_read_only=on`;
  const client = new pg.Client({ ...config, options, application_name: "pergola view" });
  client.on("error", () => undefined);
  const view = new View(client, settings);
  await view.connect();
  return view;
}

class View implements StorageView {
  readonly #client: pg.Client;
  readonly #settings: Settings;
  readonly place: string;

  constructor(client: pg.Client, settings: Settings) {
    this.#client = client;
    this.#settings = settings;
    this.place = `${placeName(settings)}, schema ${settings.schema}`;
  }

  async connect(): Promise<void> {
    await this.#asked(async () => this.#client.connect());
  }

  async hosts(): Promise<readonly SharedHost[]> {
    if (!(await this.#has("claims"))) return [];
    const { classId, first } = lockKey(this.#settings.schema, "hosts");
    const rows = await this.#rows<HostRow>(hostsSql, [classId, first]);
    return rows.map(({ label, opened, seen, silent, unread, alive, names }) => ({
      label: label ?? "",
      openedAt: opened?.toISOString() ?? null,
      seenAt: seen?.toISOString() ?? null,
      silentFor: silent === null ? null : Math.max(0, Math.round(silent)),
      unread: unread === null || seen === null ? null : Number(unread),
      isAlive: alive,
      names,
    }));
  }

  async openRuns(conversationIds: readonly string[]): Promise<readonly OpenRun[]> {
    if (conversationIds.length === 0 || !(await this.#has("collections"))) return [];
    const [table] = await this.#rows<{ readonly number: number; readonly fields: readonly string[] }>(
      "SELECT number, fields FROM collections WHERE name = 'runs'",
    );
    const at = table?.fields.indexOf("conversationId") ?? -1;
    if (table === undefined || at < 0) return [];
    const rows = await this.#rows<{ readonly body: string }>(
      `SELECT body FROM records_${table.number} WHERE f${at} = ANY ($1::bytea[])`,
      [conversationIds.map(indexKey)],
    );
    return rows.map(({ body }) => JSON.parse(body) as OpenRun).filter(({ status }) => status !== "ended");
  }

  async ping(): Promise<{ readonly answered: number; readonly clockAhead: number }> {
    const begun = performance.now();
    const sent = Date.now();
    const [row] = await this.#rows<{ readonly now: number }>(
      "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now",
    );
    const answered = performance.now() - begun;
    return { answered, clockAhead: Math.round(row!.now - (sent + answered / 2)) };
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  async #has(table: string): Promise<boolean> {
    const name = `${this.#settings.schema}.${table}`;
    const [row] = await this.#rows<{ readonly is: boolean }>("SELECT to_regclass($1) IS NOT NULL AS is", [
      name,
    ]);
    return row!.is;
  }

  async #rows<T extends object>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    return this.#asked(
      async () => (await this.#client.query<T & pg.QueryResultRow>(text, [...values])).rows as T[],
    );
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const { message, remedy } = refusalOf(error, placeName(this.#settings));
      const words = message.replace("storage-postgres, open: ", "");
      throw new PluginError("storage-postgres", "look at the hosts", words, { remedy, cause: error });
    }
  }
}
