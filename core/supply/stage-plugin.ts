import { createHash, randomUUID } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { isObject, PluginError } from "@pergola/sdk";
import type { CompleteManifest } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { readManifest } from "../plugins/manifest.ts";
import { mostOfPlugin, pluginDigest, tooLarge } from "../plugins/plugin-digest.ts";
import { pluginsFolder, type LockedDependency } from "../plugins/plugin-lock.ts";
import { linkSdk } from "./sdk-link.ts";
import { checkTarball } from "./check-tarball.ts";
import type { PluginSource } from "./plugin-source.ts";
import { runNpm } from "./run-npm.ts";

/** A plugin that was fetched and looked at, and is not in use yet. */
export interface StagedPlugin {
  readonly source: PluginSource;
  /** Holds `node_modules` with the package and all that it needs. */
  readonly folder: string;
  /** The package itself. */
  readonly package: string;
  readonly manifest: CompleteManifest;
  /** Of the tarball, as npm writes it. */
  readonly integrity: string;
  /** The digest of all files. */
  readonly files: string;
  readonly fileCount: number;
  readonly dependencies: readonly LockedDependency[];
  /** Install scripts of it and of its packages, which were not run, such as `tool-dice: postinstall`. */
  readonly scripts: readonly string[];
  /** Who published or wrote it, as the registry or the package says; null = nobody says. */
  readonly publisher: string | null;
  /** Removes what was fetched. */
  readonly discard: () => void;
}

interface StageOptions {
  readonly dataDirectory: string;
  /** Nothing is asked of a registry. */
  readonly offline?: boolean;
}

type Package = Readonly<Record<string, unknown>>;

const installScripts = ["preinstall", "install", "postinstall", "prepare", "prepack"];

/**
 * Fetches a plugin with all it needs, without running any of its code. Rejects with AppError or PluginError,
 * and leaves nothing behind then.
 */
export async function stagePlugin(
  source: PluginSource,
  { dataDirectory, offline = false }: StageOptions,
): Promise<StagedPlugin> {
  const folder = path.join(pluginsFolder(dataDirectory), ".staging", randomUUID());
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const discard = (): void => rmSync(folder, { recursive: true, force: true });
  linkSdk(dataDirectory);
  try {
    return { ...(await fetchInto(folder, source, offline)), source, folder, discard };
  } catch (error) {
    discard();
    throw error;
  }
}

async function fetchInto(
  folder: string,
  source: PluginSource,
  offline: boolean,
): Promise<Omit<StagedPlugin, "source" | "folder" | "discard">> {
  const more = offline ? ["--offline"] : [];
  const write = (name: string, value: object): void =>
    writeFileSync(path.join(folder, name), JSON.stringify(value));
  write("package.json", { private: true });
  const tarball = await packed(folder, source, more);
  await checkTarball(tarball);
  const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  const install = ["install", "--no-bin-links", "--omit=dev", "--legacy-peer-deps", ...more];
  await runNpm([...install, `file:${tarball}`], folder);
  const lock = readJson(path.join(folder, "package-lock.json"));
  for (const name of readdirSync(folder))
    if (name !== "node_modules") rmSync(path.join(folder, name), { recursive: true });
  // Names this very folder, and would make the digest another one each time.
  rmSync(path.join(folder, "node_modules", ".package-lock.json"), { force: true });
  const { name, dependencies, scripts } = readTree(folder, lock);
  refuseOwn(name);
  const place = path.join(folder, "node_modules", name);
  const manifest = readManifest(place);
  return {
    package: place,
    manifest,
    integrity,
    files: await pluginDigest(folder),
    fileCount: readdirSync(place, { recursive: true }).length,
    dependencies,
    scripts,
    publisher: offline ? authorOf(place) : await publisherOf(source, manifest, place),
  };
}

/** The tarball of a source, in the folder. */
async function packed(
  folder: string,
  { kind, spec }: PluginSource,
  more: readonly string[],
): Promise<string> {
  if (kind === "file") {
    const file = path.join(folder, "plugin.tgz");
    if (statSync(spec).size > mostOfPlugin.bytes)
      throw fault("invalid_value", `${spec} is refused: ${tooLarge}.`);
    copyFileSync(spec, file);
    return file;
  }
  await runNpm(["pack", spec, ...more], folder);
  const made = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (made === undefined) throw fault("invalid_value", `npm made no package of ${spec}.`);
  return path.join(folder, made);
}

function readJson(file: string): Package {
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  return isObject(value) ? value : {};
}

/** What npm has installed: the plugin's package, and the others. */
function readTree(
  folder: string,
  lock: Package,
): { name: string; dependencies: LockedDependency[]; scripts: string[] } {
  const { packages } = lock as { readonly packages: Readonly<Record<string, Package>> };
  const [name = ""] = Object.keys(packages[""]?.["dependencies"] ?? {});
  const dependencies: LockedDependency[] = [];
  const scripts: string[] = [];
  for (const [place, facts] of Object.entries(packages)) {
    if (place === "") continue;
    const own = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    scripts.push(...scriptsOf(path.join(folder, place), own));
    if (place === `node_modules/${name}`) continue;
    const { version, integrity } = facts as { readonly version?: string; readonly integrity?: string };
    dependencies.push({ name: own, version: version ?? "", integrity: integrity ?? null });
  }
  return { name, dependencies, scripts };
}

function scriptsOf(folder: string, name: string): readonly string[] {
  const file = path.join(folder, "package.json");
  if (!existsSync(file)) return [];
  const { scripts } = readJson(file);
  if (!isObject(scripts)) return [];
  return installScripts.filter((each) => scripts[each] !== undefined).map((each) => `${name}: ${each}`);
}

const reserved = [
  "node_modules",
  "described",
  "lock.json",
  "lock.json.new",
  "strikes.json",
  "strikes.json.new",
];

function refuseOwn(name: string): void {
  const remedy = "Install it with npm and list it in the settings.";
  if (name.startsWith("@pergola/"))
    throw new PluginError(name, "discover", "packages of @pergola are not added, they come with Pergola", {
      remedy,
    });
  if (name === "" || reserved.includes(name))
    throw new PluginError(name, "discover", "a plugin cannot have this name", { remedy: "Ask its author." });
}

/** A registry knows who published a version; elsewhere the package itself says who wrote it. */
async function publisherOf(
  { kind }: PluginSource,
  { package: name, version }: CompleteManifest,
  place: string,
): Promise<string | null> {
  if (kind === "npm") {
    const said = await runNpm(["view", `${name}@${version}`, "_npmUser", "--json"], place).catch(() => "");
    const user = userOf(said);
    if (user !== undefined) return `published by ${user}`;
  }
  return authorOf(place);
}

function authorOf(place: string): string | null {
  const { author } = readJson(path.join(place, "package.json"));
  const writer = isObject(author) ? author["name"] : author;
  return typeof writer === "string" ? `written by ${writer}, says the package` : null;
}

function userOf(text: string): string | undefined {
  try {
    const user: unknown = JSON.parse(text);
    if (typeof user === "string") return user;
    if (isObject(user) && typeof user["name"] === "string") return user["name"];
    return undefined;
  } catch {
    return undefined;
  }
}
