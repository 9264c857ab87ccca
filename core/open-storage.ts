import { hostname } from "node:os";
import { defined, type Log, type Storage } from "@pergola/sdk";
import { checkDoor } from "./http/check-door.ts";
import { refuseUnfinished } from "./migrate/moving-mark.ts";
import type { Discovery } from "./plugins/discover.ts";
import type { Lifecycle } from "./plugins/lifecycle.ts";
import { loadFound } from "./plugins/trusted-plugins.ts";
import type { Preferences } from "./settings/preferences.ts";
import type { SettingsSource } from "./settings/read-settings.ts";

/** Opens the storage that the settings choose. Rejects where it has only a part of what is moved into it. */
export async function openStorage(
  lifecycle: Lifecycle,
  table: Preferences,
  { storage: { type, ...settings }, reader: { dataDirectory } }: SettingsSource,
  log: Log,
): Promise<Storage> {
  const doorKeys = ["server.allow_remote", "auth.loopback"];
  checkDoor(lifecycle, Object.fromEntries(doorKeys.map((key) => [key, table.get(key)])));
  const hostLabel = table.get<string>("cluster.label") || hostname();
  const durability = defined({ durability: table.valueOf("storage.durability") });
  const door = { dataDirectory, log, hostLabel };
  const storage = await lifecycle.openStorage(type, { ...durability, ...settings }, door);
  await refuseUnfinished(type, storage);
  return storage;
}

/**
 * Lets a storage of our own begin what takes time, while plugins and settings are still being read. Rejects
 * with what keeps its plugin from being loaded.
 */
export async function prepareStorage({ plugins }: Pick<Discovery, "plugins">, type: string): Promise<void> {
  const found = plugins.find(
    ({ source, tier, provides }) =>
      source === "own" && tier === "trusted" && provides.storages?.includes(type),
  );
  const { storages = [] } = found === undefined ? {} : await loadFound(found);
  storages.find((storage) => storage.type === type)?.prepare?.();
}
