import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PluginError, sdkGeneration, type JsonSchema, type Properties } from "@pergola/sdk";
import { hookTable } from "../hooks/create-hooks.ts";
import { compile } from "../schema/validate.ts";
import { didYouMean } from "../settings/nearest.ts";
import { checkPlain } from "../settings/plain-json.ts";
import { holds } from "./holds.ts";

export interface Provides {
  readonly tools?: Readonly<Record<string, readonly string[]>>;
  readonly providers?: readonly string[];
  readonly storages?: readonly string[];
  readonly endpoints?: readonly string[];
  readonly hooks?: readonly string[];
}

export interface Permissions {
  readonly network?: readonly string[] | "any";
  readonly files?: "none" | "workspace" | "any";
  readonly processes?: readonly string[] | "any";
  readonly secrets?: readonly string[];
}

/** What a plugin says of itself (sdk/manifest.schema.json), and what its package.json adds. */
export interface Manifest {
  readonly id: string;
  readonly kind: "tool" | "provider" | "storage" | "endpoint" | "policy" | "bridge" | "bundle";
  readonly sdk: string;
  readonly provides: Provides;
  readonly permissions: Permissions;
  readonly settings: Properties;
  readonly after: readonly string[];
  readonly enabledByDefault: boolean;
  readonly includes: readonly string[];
  readonly package: string;
  readonly version: string;
  /** The file to import. */
  readonly entry: string;
}

type Target = string | { readonly [condition: string]: Target } | undefined;
type Package = {
  readonly name?: string;
  readonly version?: string;
  readonly main?: string;
  readonly exports?: Target;
  readonly pergola?: unknown;
};

const absent = {
  provides: {} as Provides,
  permissions: {} as Permissions,
  settings: {} as Properties,
  after: [] as readonly string[],
  includes: [] as readonly string[],
  enabledByDefault: true,
};
const schema = createRequire(import.meta.url)("@pergola/sdk/manifest.schema.json") as JsonSchema;
const check = compile(schema);
const named = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" ").matchAll(/(?:--conditions|-C)[= ](\S+)/g);
const conditions = new Set([".", "node", "import", "default", ...[...named].map(([, name]) => name)]);

/** Reads and checks a plugin's manifest without running any of its code. Throws one PluginError that lists every fault. */
export function readManifest(folder: string): Manifest {
  let id = path.basename(folder);
  try {
    const { name = "", version = "0.0.0", main = "index.js", exports, pergola } = readJson(path.join(folder, "package.json")) as Package;
    id = name.replace(/^@pergola\//, "");
    const file = path.join(folder, "plugin.json");
    const raw = existsSync(file) ? readJson(file) : pergola;
    const faults = faultsOf(raw, id);
    const entry = path.resolve(folder, target(exports) ?? main);
    if (!entry.startsWith(folder + path.sep)) faults.push("its entry lies outside its folder");
    if (faults.length > 0) throw new Error(faults.join("; "));
    return { ...absent, ...(raw as Omit<Manifest, keyof typeof absent>), package: name, version, entry };
  } catch (error) {
    throw new PluginError(id, "manifest", (error as Error).message, {
      remedy: `Correct the manifest in ${folder}, or name the plugin under disabled.`,
      cause: error,
    });
  }
}

function readJson(file: string): unknown {
  const text = readFileSync(file, "utf8");
  if (text.length > 262_144) throw new Error(`${file} is larger than 256 KiB`);
  const value: unknown = JSON.parse(text);
  checkPlain(value);
  return value;
}

/** The file that `exports` names under the conditions of this process. */
function target(exports: Target): string | undefined {
  if (typeof exports !== "object") return exports;
  return Object.entries(exports)
    .map(([condition, next]) => (conditions.has(condition) ? target(next) : undefined))
    .find((found) => found !== undefined);
}

function faultsOf(raw: unknown, id: string): string[] {
  if (raw === undefined) return ["there is neither a plugin.json nor a field pergola in package.json"];
  const faults = check(raw).map(({ path: place, keyword, message }) => {
    const parent = place
      .split(".")
      .slice(0, -1)
      .reduce<JsonSchema | undefined>((at, step) => at?.properties?.[step], schema);
    return `${place || "the manifest"} ${message}${keyword === "additionalProperties" ? didYouMean(place.split(".").at(-1)!, Object.keys(parent?.properties ?? {})).replace(/^ /, "; ") : ""}`;
  });
  if (faults.length > 0) return faults;
  const { id: own, sdk, kind, provides, settings, includes } = { ...absent, ...(raw as Omit<Manifest, keyof typeof absent>) };
  if (own !== id) faults.push(`id must be "${id}", as the package is called`);
  if (!holds(sdk, sdkGeneration))
    faults.push(`it is made for SDK ${sdk}, and this host has ${sdkGeneration}; install a version of it that fits`);
  if (kind !== "bundle" && includes.length > 0) faults.push("only a bundle includes others");
  for (const hook of provides.hooks ?? [])
    if (!Object.hasOwn(hookTable, hook)) faults.push(`there is no hook "${hook}".${didYouMean(hook, Object.keys(hookTable))}`);
  for (const [key, { description, default: value }] of Object.entries(settings)) {
    if (description === undefined || value === undefined) faults.push(`settings.${key} needs a description and a default`);
  }
  return faults;
}
