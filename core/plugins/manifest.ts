import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { didYouMean, PluginError, type JsonSchema } from "@pergola/sdk";
import {
  checkPlain,
  holdsSecret,
  schemaFaults,
  sdkGeneration,
  type CompleteManifest,
  type Manifest,
} from "@pergola/sdk/host";
import { hookTable } from "../hooks/create-hooks.ts";
import { compile } from "../schema/validate.ts";
import { holds } from "./holds.ts";

type Target = string | { readonly [condition: string]: Target } | undefined;
type Package = Partial<Readonly<Record<"name" | "version" | "main" | "description", string>>> & {
  readonly exports?: Target;
  readonly pergola?: unknown;
};

/** What a manifest is read from; the second may be absent. */
export const manifestFiles = ["package.json", "plugin.json"] as const;

/** What a manifest says that leaves all of it out. */
export const emptyManifest = {
  provides: {},
  permissions: {},
  settings: {},
  after: [],
  includes: [],
  enabledByDefault: true,
};
let check: ReturnType<typeof compile> | undefined;

/** Read only for plugins of others. */
const schemaCheck = (): ReturnType<typeof compile> =>
  compile(createRequire(import.meta.url)("@pergola/sdk/manifest.schema.json") as JsonSchema);

const named = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""]
  .join(" ")
  .matchAll(/(?:--conditions|-C)[= ](\S+)/g);
/** Of the plugins of others only what they have built is run, whatever this process runs from. */
const builtConditions: ReadonlySet<string> = new Set([".", "node", "import", "default"]);
export const manifestConditions: ReadonlySet<string> = new Set([
  ...builtConditions,
  ...[...named].map(([, name = ""]) => name),
]);

const idOf = (name: string, folder: string): string =>
  name.replace(/^@pergola\//, "") || path.basename(folder);

/**
 * Reads and checks a plugin's manifest without running any of its code. Throws one PluginError that lists
 * every fault. For our `own` packages the form and the settings are left to their tests, for checking them
 * costs each start more than reading them.
 */
export function readManifest(folder: string, own = false): CompleteManifest {
  let id = path.basename(folder);
  try {
    const found = readJson(path.join(folder, manifestFiles[0])) as Package;
    const { name = "", version = "0.0.0", main = "index.js", description = "", exports } = found;
    id = idOf(name, folder);
    const file = path.join(folder, manifestFiles[1]);
    const raw = existsSync(file) ? readJson(file) : found.pergola;
    if (raw === undefined)
      throw new Error("there is neither a plugin.json nor a field pergola in package.json");
    if (!own) refuse(manifestFaults(raw));
    const entry = path.resolve(folder, target(exports, own ? manifestConditions : builtConditions) ?? main);
    const manifest = {
      ...emptyManifest,
      ...(raw as Manifest),
      package: name,
      version,
      description,
      entry,
    };
    refuse([...contentFaults(manifest, id, folder), ...settingsFaults(manifest, own)]);
    return manifest;
  } catch (error) {
    const remedy = `Correct the manifest in ${folder}, or name the plugin under disabled.`;
    throw new PluginError(id, "manifest", (error as Error).message, { remedy, cause: error });
  }
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join(" "));
}

function readJson(file: string): unknown {
  const text = readFileSync(file, "utf8");
  if (text.length > 262_144) throw new Error(`${file} is larger than 256 KiB`);
  const value: unknown = JSON.parse(text);
  checkPlain(value);
  return value;
}

/** The file that `exports` names under these conditions. */
function target(exports: Target, conditions: ReadonlySet<string>): string | undefined {
  if (typeof exports !== "object") return exports;
  return Object.entries(exports)
    .filter(([condition]) => conditions.has(condition))
    .map(([, next]) => target(next, conditions))
    .find((found) => found !== undefined);
}

/** What is wrong with the form of a manifest. */
export const manifestFaults = (raw: unknown): string[] =>
  (check ??= schemaCheck())(raw).map(({ path: place, message }) => `${place || "the manifest"} ${message}.`);

function contentFaults(
  { id, sdk, kind, provides, includes, entry }: CompleteManifest,
  name: string,
  folder: string,
): readonly string[] {
  const hooks = Object.keys(hookTable);
  const unknown = (provides.hooks ?? []).filter((hook) => !hooks.includes(hook));
  const faults: string[] = [];
  if (id !== name) faults.push(`id must be "${name}", as the package is called.`);
  if (!holds(sdk, sdkGeneration))
    faults.push(
      `it is made for SDK ${sdk}, and this host has ${sdkGeneration}; install a version of it that fits.`,
    );
  if (kind !== "bundle" && includes.length > 0) faults.push("only a bundle includes others.");
  if (!entry.startsWith(folder + path.sep)) faults.push("its entry lies outside its folder.");
  return [...faults, ...unknown.map((hook) => `there is no hook "${hook}".${didYouMean(hook, hooks)}`)];
}

/** What is wrong with the settings that a plugin of others declares. */
function settingsFaults({ permissions, settings }: CompleteManifest, own: boolean): readonly string[] {
  if (own) return [];
  const { secrets = [] } = permissions;
  const foreign = secrets.filter((key) => !Object.hasOwn(settings, key));
  const open = secrets.filter((key) => Object.hasOwn(settings, key) && !holdsSecret(settings[key]));
  const bare = Object.entries(settings).filter(
    ([, { description, default: value }]) => description === undefined || value === undefined,
  );
  return [
    ...foreign.map((key) => `permissions.secrets names ${key}, which is none of its own settings.`),
    ...open.map(
      (key) => `permissions.secrets names ${key}, which is not secret: give the setting "x-secret": true.`,
    ),
    ...Object.entries(settings).flatMap(([key, property]) =>
      schemaFaults(`settings.${key}`, property, { isSetting: true }),
    ),
    ...bare.map(([key]) => `settings.${key} needs a description and a default.`),
  ];
}
