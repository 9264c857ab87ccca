import { PluginError, type JsonObject, type StorageDefinition } from "@pergola/sdk";
import { storageIn, type SettingsSource, type StorageSettings } from "../settings/read-settings.ts";
import { discoverPlugins } from "./discover.ts";
import { openSupply } from "./open-supply.ts";
import { pinPlugins } from "./pin-plugins.ts";
import { loadFound } from "./open-trusted.ts";

export interface StorageAlone {
  readonly definition: StorageDefinition;
  readonly settings: JsonObject;
}

/**
 * The storage that the settings choose, or another that is given, without a host: of all plugins only the
 * one that brings it is loaded.
 * Rejects with PluginError when no plugin does, or a start would leave it out: one of somebody else that
 * nobody has approved as it is, or may not run in this process.
 */
export async function storageAlone(
  source: SettingsSource,
  chosen: StorageSettings = storageIn(source, { ...source.reader, secretsMayMiss: true }),
): Promise<StorageAlone> {
  const { type, ...settings } = chosen;
  const supply = openSupply(source, { inspecting: true });
  const discovery = await pinPlugins(discoverPlugins(source, { lock: supply.lock }), supply);
  const found = discovery.plugins.find(
    ({ tier, provides }) => tier === "trusted" && provides.storages?.includes(type),
  );
  const leftOut = discovery.faults.find(({ plugin }) => plugin === found?.id);
  if (leftOut !== undefined) throw leftOut;
  const { storages = [] } = found === undefined ? {} : await loadFound(found);
  const definition = storages.find((storage) => storage.type === type);
  if (definition !== undefined) return { definition, settings };
  const remedy = "Install such a plugin, or correct storage.type in the settings.";
  throw new PluginError(type, "open", `no plugin provides the storage type "${type}"`, { remedy });
}
