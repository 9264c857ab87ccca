import { randomUUID } from "node:crypto";
import path from "node:path";
import type { JsonObject, Storage, StorageDoor } from "@pergola/sdk";
import { readSettings } from "./read-settings.ts";
import { SqliteStorage } from "./sqlite-storage.ts";
import { WorkerLink } from "./worker-link.ts";

/**
 * Opens the database of a data directory, or makes it. Rejects with PluginError when it cannot be used; it is
 * then left as it was.
 */
export async function openSqlite(
  settings: JsonObject,
  { dataDirectory, log }: StorageDoor,
): Promise<Storage> {
  const { file, durability } = readSettings(settings);
  const options = {
    dataDirectory,
    file: path.join(dataDirectory, file),
    durability,
    instance: randomUUID(),
  };
  const link = new WorkerLink(options, log);
  await link.open();
  return new SqliteStorage(link, log);
}
