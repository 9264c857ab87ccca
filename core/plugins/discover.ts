import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { PluginError } from "@pergola/sdk";
import type { PluginEntry, SettingsSource } from "../settings/read-settings.ts";
import { readManifest, type Manifest } from "./manifest.ts";
import { orderPlugins } from "./order.ts";

export interface FoundPlugin extends Manifest {
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

type Wanted = PluginEntry & { readonly from: readonly string[] };

const upward = (folder: string): readonly string[] =>
  path.dirname(folder) === folder ? [folder] : [folder, ...upward(path.dirname(folder))];

/** A path, or a package's name, looked for in each `node_modules` from the given folders upward. */
function locate(use: string, from: readonly string[]): string | undefined {
  const isName = /^(@[\w.-]+\/)?\w[\w.-]*$/.test(use);
  const places = isName ? from.flatMap(upward).map((folder) => path.join(folder, "node_modules", use)) : [path.resolve(from[0] ?? "", use)];
  const found = places.find((folder) => existsSync(path.join(folder, "package.json")));
  return found === undefined ? undefined : realpathSync(found);
}

/** Pergola's own packages beside the host run in its process unless the settings say otherwise; whatever else there is does not. */
function tierOf(manifest: Manifest, folder: string, { use, isolation }: Wanted, host: string): FoundPlugin["tier"] {
  const own = manifest.package.startsWith("@pergola/") && locate(manifest.package, [host]) === folder;
  const tier = (isolation ?? (own ? "trusted" : "process")) === "trusted" ? "trusted" : "isolated";
  if (tier === "trusted" || manifest.kind === "tool" || manifest.kind === "bundle") return tier;
  const remedy = `If you trust it with everything the host may do, list it as { "use": "${use}", "isolation": "trusted" }.`;
  throw new PluginError(manifest.id, "validate", `a plugin of kind ${manifest.kind} can not run in a process of its own`, { remedy });
}

/** Finds the plugins that the settings name, checks all manifests and orders them; runs no code of theirs. Faults are gathered. */
export function discoverPlugins({ plugins, disabled, reader }: SettingsSource, host = import.meta.dirname): Discovery {
  const faults: PluginError[] = [];
  const found = new Map<string, FoundPlugin>();
  const queue: Wanted[] = (plugins ?? [{ use: "@pergola/bundle-standard" }]).map((entry) => ({
    ...entry,
    from: plugins === undefined ? [host] : [reader.folder, host],
  }));
  for (const wanted of queue) {
    try {
      const folder = locate(wanted.use, wanted.from);
      if (folder === undefined)
        throw new PluginError(wanted.use, "discover", "there is no such plugin", {
          remedy: `Install it (npm install ${wanted.use}), or correct the settings.`,
        });
      if (found.has(folder)) continue;
      const manifest = readManifest(folder);
      const twin = [...found.values()].find(({ id }) => id === manifest.id);
      if (twin !== undefined) throw new PluginError(manifest.id, "discover", `${twin.folder} and ${folder} have the same id`);
      const tier = tierOf(manifest, folder, wanted, host);
      found.set(folder, { ...manifest, folder, tier, disabled: disabled.includes(manifest.id) });
      queue.push(...manifest.includes.map((use) => ({ ...wanted, ...(tier === "trusted" && { isolation: tier }), use, from: [folder] })));
    } catch (error) {
      faults.push(error as PluginError);
    }
  }
  const all = [...found.values()];
  const order = orderPlugins(all.filter((plugin) => !plugin.disabled));
  return { all, plugins: order.ordered, faults: [...faults, ...order.faults] };
}
