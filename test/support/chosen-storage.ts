import { createHash } from "node:crypto";
import type { JsonObject, Storage, StorageDoor } from "@pergola/sdk";
import { openPostgres } from "../../plugins/storage-postgres/open-postgres.ts";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { openSqlite } from "../../plugins/storage-sqlite/open-sqlite.ts";

/** `postgres` runs tests with a host on PostgreSQL that otherwise run on memory or SQLite. */
const chosen = process.env["PERGOLA_TEST_STORAGE"];

/** What is stored is in the data directory too, where tests may look for it. */
export const isInDataDirectory = chosen !== "postgres";

const isOfficial = (type: unknown): boolean => type === "memory" || type === "sqlite";

/** The storages that the most telling tests over HTTP run on, each. */
export const storageTypes = ["memory", "sqlite", "postgres"] as const;

/** Skips the tests of a suite where there is no server for the storage that they run on. */
export function skipWithoutServer(type: string): void {
  if (type === "postgres") before(needsPostgres);
}

/**
 * The storage part of a test host's settings: the one that is given, or the one that the environment chooses
 * in place of an official one. A data directory always has the same database.
 */
export async function chosenStorage(given: JsonObject, dataDirectory?: string): Promise<JsonObject> {
  const { type, url } = given;
  const isPostgres =
    (chosen === "postgres" && isOfficial(type)) || (type === "postgres" && url === undefined);
  if (!isPostgres) return given;
  const settings = (await sharedServer()).settings();
  if (dataDirectory === undefined) return { ...settings };
  const digest = createHash("sha256").update(dataDirectory).digest("hex");
  return { ...settings, schema: `s${digest.slice(0, 32)}` };
}

/** Opens what a host with SQLite keeps in a data directory, or what it keeps in the chosen storage. */
export async function openChosen(
  { dataDirectory, log }: StorageDoor,
  given: JsonObject = {},
): Promise<Storage> {
  const { type, ...settings } = await chosenStorage({ type: "sqlite", ...given }, dataDirectory);
  const open = type === "postgres" ? openPostgres : openSqlite;
  return open(settings, { dataDirectory, log });
}
