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
}

export interface Discovery {
  /** Every one whose manifest is good. */
  readonly all: readonly FoundPlugin[];
  /** Those that can run, in the order in which they register. */
  readonly plugins: readonly FoundPlugin[];
  readonly faults: readonly PluginError[];
}

type Wanted = PluginEntry & { readonly from: readonly string[]; readonly own?: boolean };

/** A path, or a package's name, looked for in each `node_modules` from the given folders upward. */
function locate(use: string, from: readonly string[]): string | undefined {
  const isName = /^(@[\w.-]+\/)?\w[\w.-]*$/.test(use);
  let places = [path.resolve(from[0] ?? "", use)];
  if (isName) places = from.flatMap(upward).map((folder) => path.join(folder, "node_modules", use));
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

/**
 * Finds the plugins that the settings name, checks all manifests and orders them; runs no code of theirs.
 * Faults are gathered.
 */
export function discoverPlugins(
  { plugins, disabled, reader }: SettingsSource,
  host = import.meta.dirname,
): Discovery {
  const faults: PluginError[] = [];
  const found = new Map<string, FoundPlugin>();
  const chosen = plugins?.map((entry) => ({ ...entry, from: [reader.folder, host] }));
  const standard = { use: "@pergola/bundle-standard", from: [host] };
  const queue: Wanted[] = [{ use: "@pergola/bundle-host", from: [host] }, ...(chosen ?? [standard])];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    try {
      const { use, from } = next;
      const folder = locate(use, from);
      const remedy = `Install it (npm install ${use}), or correct the settings.`;
      if (folder === undefined) throw new PluginError(use, "discover", "there is no such plugin", { remedy });
      if (found.has(folder)) continue;
      const own = use.startsWith("@pergola/") && (next.own ?? locate(use, [host]) === folder);
      const written = readManifest(folder, own);
      const manifest = { ...written, after: written.after.map(currentId) };
      checkTwins({ ...manifest, folder }, [...found.values()]);
      const tier = tierOf(manifest, next, own);
      found.set(folder, {
        ...manifest,
        folder,
        tier,
        disabled: disabled.includes(manifest.id),
      });
      const inherited = { ...next, from: [folder], ...(own && { own }) };
      if (tier === "trusted") inherited.isolation = tier;
      queue.unshift(...manifest.includes.map((use) => ({ ...inherited, use: currentPackage(use) })));
    } catch (error) {
      faults.push(error as PluginError);
    }
  }
  const all = [...found.values()];
  const order = orderPlugins(all.filter((plugin) => !plugin.disabled));
  return { all, plugins: order.ordered, faults: [...faults, ...order.faults] };
}
