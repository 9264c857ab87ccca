import { PluginError, type JsonObject, type StorageDefinition } from "@pergola/sdk";
import { storageIn, type SettingsSource } from "../settings/read-settings.ts";
import { discoverPlugins, type Discovery, type FoundPlugin } from "./discover.ts";
import { openSupply } from "./open-supply.ts";
import { pinPlugins } from "./pin-plugins.ts";
import { loadFound } from "./trusted-plugins.ts";

export interface StorageAlone {
  readonly definition: StorageDefinition;
  readonly settings: JsonObject;
}

/** A storage that an address names. */
export interface NamedStorage extends StorageAlone {
  /** The settings that name it in a settings file: each secret by a variable. */
  readonly written: JsonObject;
}

const isStorage = ({ tier, provides }: FoundPlugin): boolean =>
  tier === "trusted" && provides.storages !== undefined;

async function findStorages(source: SettingsSource): Promise<Pick<Discovery, "plugins" | "faults">> {
  const supply = openSupply(source, { inspecting: true });
  const { plugins, faults } = await pinPlugins(discoverPlugins(source, { lock: supply.lock }), supply);
  return { plugins: plugins.filter(isStorage), faults };
}

const leftOutIn = (faults: readonly PluginError[], { id }: FoundPlugin): PluginError | undefined =>
  faults.find(({ plugin }) => plugin === id);

/**
 * The storage that the settings choose, without a host: of all plugins only the one that brings it is loaded.
 * Rejects with PluginError when no plugin does, or a start would leave it out: one of somebody else that
 * nobody has approved as it is, or may not run in this process.
 */
export async function storageAlone(source: SettingsSource): Promise<StorageAlone> {
  const { type, ...settings } = storageIn(source, { ...source.reader, secretsMayMiss: true });
  const { plugins, faults } = await findStorages(source);
  const found = plugins.find(({ provides }) => provides.storages?.includes(type));
  const leftOut = found && leftOutIn(faults, found);
  if (leftOut !== undefined) throw leftOut;
  const { storages = [] } = found === undefined ? {} : await loadFound(found);
  const definition = storages.find((storage) => storage.type === type);
  if (definition !== undefined) return { definition, settings };
  const remedy = "Install such a plugin, or correct storage.type in the settings.";
  throw new PluginError(type, "open", `no plugin provides the storage type "${type}"`, { remedy });
}

/**
 * The storage that an address names, or a type without further settings; undefined where none of the plugins
 * in the settings knows it. Rejects with PluginError where only one that a start would leave out may know it.
 */
export async function storageNamed(
  source: SettingsSource,
  address: string,
): Promise<NamedStorage | undefined> {
  const { plugins, faults } = await findStorages(source);
  const usable = plugins.filter((plugin) => leftOutIn(faults, plugin) === undefined);
  const loaded = await Promise.all(usable.map(loadFound));
  const [found] = loaded.flatMap(({ storages = [] }) =>
    storages.flatMap((definition) => namedBy(definition, address)),
  );
  const [leftOut] = plugins.map((plugin) => leftOutIn(faults, plugin)).filter((fault) => fault !== undefined);
  if (found === undefined && leftOut !== undefined) throw leftOut;
  return found;
}

function namedBy(definition: StorageDefinition, address: string): readonly NamedStorage[] {
  const { type } = definition;
  const named = address === type ? { settings: {} } : definition.named?.(address);
  if (named === undefined) return [];
  const { settings, secrets = {} } = named;
  const told = Object.keys(secrets).map((name) => [name, { env: `PERGOLA_DATABASE_${name.toUpperCase()}` }]);
  const written = { type, ...settings, ...(Object.fromEntries(told) as JsonObject) };
  return [{ definition, settings: { ...settings, ...secrets }, written }];
}
