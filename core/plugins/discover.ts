import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { PluginError } from "@pergola/sdk";
import type { CompleteManifest } from "@pergola/sdk/host";
import { upward } from "../settings/folders.ts";
import { coreSettings } from "../settings/preferences.ts";
import type { PluginEntry, SettingsSource } from "../settings/read-settings.ts";
import { readManifest } from "./manifest.ts";
import { orderPlugins } from "./order.ts";
import { currentId, currentPackage } from "./renamed-plugins.ts";

export interface FoundPlugin extends CompleteManifest {
  readonly folder: string;
  readonly tier: "trusted" | "isolated";
  readonly disabled: boolean;
  /** Pergola's own come with the host; packages of others are pinned to what they were; folders are not. */
  readonly source: "own" | "package" | "folder";
}

export interface Discovery {
  /** Every one whose manifest is good. */
  readonly all: readonly FoundPlugin[];
  /** Those that can run, in the order in which they register. */
  readonly plugins: readonly FoundPlugin[];
  readonly faults: readonly PluginError[];
  /** Those among the faulty whose manifest could be read. */
  readonly refused: readonly FoundPlugin[];
}

type Wanted = PluginEntry & { readonly from: readonly string[]; readonly own?: boolean };

const isName = (use: string): boolean => /^(@[\w.-]+\/)?\w[\w.-]*$/.test(use);

/** A path, or a package's name, looked for in each `node_modules` from the given folders upward. */
function locate(use: string, from: readonly string[]): string | undefined {
  let places = [path.resolve(from[0] ?? "", use)];
  if (isName(use)) places = from.flatMap(upward).map((folder) => path.join(folder, "node_modules", use));
  const found = places.find((folder) => existsSync(path.join(folder, "package.json")));
  return found && realpathSync.native(found);
}

/** Pergola's own packages run in the host's process by default, all others in a process of their own. */
function tierOf(manifest: CompleteManifest, { use, isolation }: Wanted, own: boolean): FoundPlugin["tier"] {
  const isTrusted = isolation === undefined ? own : isolation === "trusted";
  if (isTrusted) return "trusted";
  if (manifest.kind === "tool" || manifest.kind === "bundle") return "isolated";
  const fault = `a plugin of kind ${manifest.kind} cannot run in a process of its own`;
  const remedy =
    "If you trust it with everything the host may do, list it as " +
    `{ "use": "${use}", "isolation": "trusted" }.`;
  throw new PluginError(manifest.id, "validate", fault, { remedy });
}

/**
 * Neither an id nor a preference belongs to two: the later one is at fault, so that no plugin can take
 * another's settings over.
 */
function checkTwins(
  { id, folder, settings }: CompleteManifest & { readonly folder: string },
  others: readonly FoundPlugin[],
): void {
  const twin = others.find((other) => other.id === id);
  if (twin !== undefined)
    throw new PluginError(id, "validate", `${twin.folder} and ${folder} have the same id`);
  for (const key of Object.keys(settings)) {
    const owners = [{ id: "the host", settings: coreSettings }, ...others];
    const owner = owners.find((other) => Object.hasOwn(other.settings, key));
    if (owner !== undefined)
      throw new PluginError(id, "validate", `the preference ${key} belongs to ${owner.id}`);
  }
}

/** The folder of a plugin. Throws PluginError when there is none. */
function folderOf({ use, from }: Wanted): string {
  const folder = locate(use, from);
  if (folder !== undefined) return folder;
  const remedy = `Install it (npm install ${use}), or correct the settings.`;
  throw new PluginError(use, "discover", "there is no such plugin", { remedy });
}

/** A plugin by its manifest; whether it may run in the host's process is settled later. */
function readPlugin({ use, ...wanted }: Wanted, folder: string, host: string): Omit<FoundPlugin, "disabled"> {
  const own = use.startsWith("@pergola/") && (wanted.own ?? locate(use, [host]) === folder);
  const manifest = readManifest(folder, own);
  const after = manifest.after.map(currentId);
  let source: FoundPlugin["source"] = isName(use) ? "package" : "folder";
  if (own) source = "own";
  return { ...manifest, after, folder, source, tier: "isolated" };
}

/**
 * Finds the plugins that the settings name, checks all manifests and orders them; runs no code of theirs.
 * Faults are gathered.
 */
export function discoverPlugins(
  { plugins, disabled, reader }: SettingsSource,
  host = import.meta.dirname,
): Discovery {
  const faults: PluginError[] = [];
  const refused: FoundPlugin[] = [];
  const found = new Map<string, FoundPlugin>();
  const chosen = plugins?.map((entry) => ({ ...entry, from: [reader.folder, host] }));
  const standard = { use: "@pergola/bundle-standard", from: [host] };
  const queue: Wanted[] = [{ use: "@pergola/bundle-host", from: [host] }, ...(chosen ?? [standard])];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    let plugin: FoundPlugin | undefined;
    try {
      const folder = folderOf(next);
      if (found.has(folder)) continue;
      const read = readPlugin(next, folder, host);
      plugin = { ...read, disabled: disabled.includes(read.id) };
      checkTwins(plugin, [...found.values()]);
      const own = plugin.source === "own";
      const tier = tierOf(plugin, next, own);
      found.set(folder, { ...plugin, tier });
      const inherited = { ...next, from: [folder], ...(own && { own }) };
      if (tier === "trusted") inherited.isolation = tier;
      queue.unshift(...plugin.includes.map((use) => ({ ...inherited, use: currentPackage(use) })));
    } catch (error) {
      faults.push(error as PluginError);
      if (plugin !== undefined) refused.push(plugin);
    }
  }
  const all = [...found.values()];
  const order = orderPlugins(all.filter((plugin) => !plugin.disabled));
  return { all, plugins: order.ordered, faults: [...faults, ...order.faults], refused };
}
