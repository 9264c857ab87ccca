import { createHash } from "node:crypto";
import type { JsonObject } from "@pergola/sdk";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";

/** `postgres` runs tests with a host on PostgreSQL that otherwise run on memory or SQLite. */
const chosen = process.env["PERGOLA_TEST_STORAGE"];

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
