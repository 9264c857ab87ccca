import type { JsonObject, Storage } from "@pergola/sdk";
import { builtSqlite } from "./built-plugin.ts";
import { silentLog } from "./silent-log.ts";

/** Opens the storage of a data directory as a host does. */
export async function openBuilt(
  dataDirectory: string,
  settings: JsonObject = { durability: "process" },
): Promise<Storage> {
  return (await builtSqlite()).open(settings, { dataDirectory, log: silentLog });
}
