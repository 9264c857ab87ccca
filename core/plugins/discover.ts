import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { PluginError } from "@pergola/sdk";
import { type CompleteManifest, upward } from "@pergola/sdk/host";
import { coreSettings } from "../settings/preferences.ts";
import type { ToolFile } from "../settings/tool-files.ts";
import type { PluginEntry, SettingsSource } from "../settings/read-settings.ts";
import type { Reader } from "../settings/read-value.ts";
import { readManifest } from "./manifest.ts";
import type { ManifestIndex } from "./manifest-index.ts";
import { pluginsFolder, type Lock, type LockedVersion } from "./plugin-lock.ts";
import { orderPlugins } from "./order.ts";
import { currentId, currentPackage } from "./renamed-plugins.ts";

export interface FoundPlugin extends CompleteManifest {
  readonly folder: string;
  readonly tier: "trusted" | "isolated";
  readonly disabled: boolean;
  /**
   * Pergola's own come with the host, the others were added to it, stand in the settings, or are files.
   */
  readonly source: "own" | "added" | "settings" | "file";
  /** The file that this one is made of. */
  readonly file?: ToolFile;
  /**
   * The folder whose files are compared with the approved ones: its own, packages that it brings included.
   */
  readonly root: string;
  /** It is only looked at, or is what its author works on. */
  readonly isCandidate?: boolean;
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

type Wanted = PluginEntry & {
  readonly from: readonly string[];
  readonly own?: boolean;
  /** Where an added one lies with all its packages. */
  readonly root?: string;
  readonly candidate?: boolean;
};

/** What of the settings says which plugins there are. */
export interface PluginChoice extends Pick<SettingsSource, "plugins" | "disabled"> {
  readonly reader: Pick<Reader, "folder" | "installed">;
}

export interface DiscoverOptions {
  /** The folder from which Pergola's own are found. */
  readonly host?: string;
  readonly lock?: Lock;
  /** Plugins beside those of the settings, which take the place of added ones with the same id. */
  readonly candidates?: readonly PluginEntry[];
  /** Where manifests are written down that were checked before. */
  readonly index?: ManifestIndex | undefined;
  /** Tools in single files; each gives way to all others. */
  readonly files?: readonly Omit<FoundPlugin, "disabled">[];
}

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

/** Whose an id and a preference are, by what was found so far. */
class Owners {
  readonly #folders = new Map<string, string>();
  readonly #keys = new Map(Object.keys(coreSettings).map((key) => [key, "the host"]));

  /**
   * Neither an id nor a preference belongs to two: the later one is at fault, so that no plugin can take
   * another's settings over.
   */
  check({ id, folder, settings }: Omit<FoundPlugin, "tier">): void {
    const twin = this.#folders.get(id);
    if (twin !== undefined) throw new PluginError(id, "validate", `${twin} and ${folder} have the same id`);
    const taken = Object.keys(settings).find((key) => this.#keys.has(key));
    if (taken !== undefined)
      throw new PluginError(id, "validate", `the preference ${taken} belongs to ${this.#keys.get(taken)}`);
  }

  add({ id, folder, settings }: FoundPlugin): void {
    this.#folders.set(id, folder);
    for (const key of Object.keys(settings)) this.#keys.set(key, id);
  }
}

const standardBundle = "@pergola/bundle-standard";

/** The folder of a plugin. Throws PluginError when there is none. */
function folderOf({ use, from, root }: Wanted): string {
  const folder = locate(use, from);
  // Who installs only some plugins has an empty package in the bundle's place (docs/plugins.md).
  if (use === standardBundle && folder !== undefined && !existsSync(path.join(folder, "plugin.json"))) {
    const remedy =
      "Name the plugins that you have installed under plugins in the settings, or take the bundle out of " +
      "the overrides in package.json, and run npm install.";
    throw new PluginError(use, "discover", "it is left out of this installation", { remedy });
  }
  if (folder !== undefined) return folder;
  if (root !== undefined) {
    const advice = "Add it again (pergola plugins add), or take it out: pergola plugins remove <id>.";
    throw new PluginError(path.basename(use), "discover", `its folder ${root} is gone`, { remedy: advice });
  }
  const remedy = `Install it (npm install ${use}), or correct the settings.`;
  throw new PluginError(use, "discover", "there is no such plugin", { remedy });
}

/** A plugin by its manifest; whether it may run in the host's process is settled later. */
function readPlugin(
  { use, root, ...wanted }: Wanted,
  folder: string,
  { host = import.meta.dirname, index }: DiscoverOptions,
): Omit<FoundPlugin, "disabled"> {
  const own = use.startsWith("@pergola/") && (wanted.own ?? locate(use, [host]) === folder);
  const manifest = index?.manifestIn(folder, own) ?? readManifest(folder, own);
  const after = manifest.after.map(currentId);
  // One of ours by its path is still ours: its files come with the host.
  const isScoped = manifest.package.startsWith("@pergola/");
  const isOurs = own || (isScoped && locate(manifest.package, [host]) === folder);
  let source: FoundPlugin["source"] = root === undefined ? "settings" : "added";
  if (isOurs) source = "own";
  const candidate = wanted.candidate === true && { isCandidate: true };
  return { ...manifest, ...candidate, after, folder, root: root ?? folder, source, tier: "isolated" };
}

/** Where the package of an added version lies. */
export const packageFolder = (
  dataDirectory: string,
  { folder = "", package: name }: LockedVersion,
): string =>
  path.isAbsolute(folder) ? folder : path.join(pluginsFolder(dataDirectory), folder, "node_modules", name);

/** Those that were added, as entries; by their package's name they may stand in the settings as well. */
function addedPlugins(lock: Lock, dataDirectory: string): ReadonlyMap<string, Wanted> {
  const added = new Map<string, Wanted>();
  for (const { current } of Object.values(lock)) {
    if (current?.folder === undefined) continue;
    const use = packageFolder(dataDirectory, current);
    const root = path.resolve(pluginsFolder(dataDirectory), current.folder);
    const isolation = current.trusted === true ? "trusted" : "process";
    added.set(current.package, { use, root, isolation, from: [] });
  }
  return added;
}

/** What is looked for, in this order; the settings win over what was added. */
function wantedPlugins(
  { plugins, reader }: PluginChoice,
  { host = import.meta.dirname, lock = {}, candidates = [] }: DiscoverOptions,
): readonly Wanted[] {
  const tried = candidates.map((entry) => ({ ...entry, from: [reader.folder], candidate: true }));
  const added = addedPlugins(lock, reader.installed);
  const from = [reader.folder, host];
  const chosen = plugins?.map((entry): Wanted => {
    const known = added.get(entry.use);
    if (known === undefined || locate(entry.use, from) !== undefined) return { from, ...entry };
    return { ...known, ...entry, use: known.use };
  });
  const standard = { use: standardBundle, from: [host] };
  const bundle = { use: "@pergola/bundle-host", from: [host] };
  return [bundle, ...tried, ...(chosen ?? [standard]), ...added.values()];
}

/** What a bundle brings runs where the bundle runs. */
function includedIn(
  { folder, tier, includes }: FoundPlugin,
  wanted: Wanted,
  own: boolean,
): readonly Wanted[] {
  const inherited = { ...wanted, from: [folder], ...(own && { own }) };
  if (tier === "trusted") inherited.isolation = tier;
  return includes.map((use) => ({ ...inherited, use: currentPackage(use) }));
}

/** Adds single files to what was found; gives back the faults of those whose id another plugin has. */
function addFiles(
  found: Map<string, FoundPlugin>,
  files: DiscoverOptions["files"] = [],
  isOff: (id: string) => boolean,
): readonly PluginError[] {
  const ids = new Set([...found.values()].map(({ id }) => id));
  for (const file of files)
    if (!ids.has(file.id)) found.set(file.folder, { ...file, disabled: isOff(file.id) });
  return files
    .filter(({ id }) => ids.has(id))
    .map(({ id, folder }) => {
      const message = `${folder}: there is a plugin called ${id}`;
      return new PluginError(path.basename(folder), "validate", message, { remedy: "Rename the file." });
    });
}

/**
 * Finds the plugins that the settings name and those that were added, checks all manifests and orders them;
 * runs no code of theirs. Faults are gathered.
 */
export function discoverPlugins(source: PluginChoice, options: DiscoverOptions = {}): Discovery {
  const { lock = {} } = options;
  const tried = new Set<string>();
  const faults: PluginError[] = [];
  const refused: FoundPlugin[] = [];
  const found = new Map<string, FoundPlugin>();
  const owners = new Owners();
  const isOff = (id: string): boolean => source.disabled.includes(id) || lock[id]?.enabled === false;
  const queue = [...wantedPlugins(source, options)];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    let plugin: FoundPlugin | undefined;
    try {
      const folder = folderOf(next);
      if (found.has(folder)) continue;
      const read = readPlugin(next, folder, options);
      if (tried.has(read.id)) continue;
      if (next.candidate) tried.add(read.id);
      plugin = { ...read, disabled: isOff(read.id) };
      owners.check(plugin);
      const own = plugin.source === "own" && next.use.startsWith("@pergola/");
      const tier = tierOf(plugin, next, own);
      found.set(folder, { ...plugin, tier });
      owners.add({ ...plugin, tier });
      queue.unshift(...includedIn({ ...plugin, tier }, next, own));
    } catch (error) {
      faults.push(error as PluginError);
      if (plugin !== undefined) refused.push(plugin);
    }
  }
  faults.push(...addFiles(found, options.files, isOff));
  const all = [...found.values()];
  const order = orderPlugins(all.filter((plugin) => !plugin.disabled));
  return { all, plugins: order.ordered, faults: [...faults, ...order.faults], refused };
}
