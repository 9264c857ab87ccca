import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { LoaderSync } from "cosmiconfig";
import { isObject, type JsonObject } from "@pergola/sdk";
import { checkPlain, configurationFolder, type Surroundings, upward } from "@pergola/sdk/host";
import { settingsError } from "./settings-error.ts";

type Parsers = Readonly<Record<"loadJson" | "loadYaml", LoaderSync>>;

const load = createRequire(import.meta.url);

const places = [
  "pergola.config.json",
  "pergola.config.yaml",
  "pergola.config.yml",
  ".pergolarc",
  "package.json",
];
const maxBytes = 1_048_576;

/** Where a package.json has settings. */
const field = '"pergola"';
const isPackage = (file: string): boolean => path.basename(file) === "package.json";

export interface SettingsFile {
  readonly path: string;
  readonly folder: string;
  readonly content: JsonObject;
  /** SHA-256 of its text: trust holds for one content, not for a name. */
  readonly digest: string;
  /** Lies in the user's configuration folder, or was named by the user. */
  readonly own: boolean;
  /** Another one with settings in the same folder, which is not read for this one. */
  readonly unread?: string | undefined;
}

export interface FoundSettings {
  /** Named by the user, or in the user's configuration folder. */
  readonly own: SettingsFile | undefined;
  /** The nearest one from the working directory upward. */
  readonly folder: SettingsFile | undefined;
}

/**
 * The user's own settings file, or the one that `file` names, and that of the working directory. Never runs
 * what it finds.
 */
export async function findSettings(
  where: Surroundings & { readonly file?: string | undefined },
): Promise<FoundSettings> {
  const cwd = path.resolve(where.cwd ?? process.cwd());
  const configuration = configurationFolder(where);
  const own = ownSettings(where, cwd, configuration);
  const folders = upward(cwd).filter((folder) => folder !== configuration);
  const folder = firstIn(folders, false);
  return { own, folder: folder?.path === own?.path ? undefined : folder };
}

/** The settings file that is read in a folder, whatever it holds; undefined where there is none. */
export const settingsFileIn = (folder: string): string | undefined =>
  places
    .map((place) => path.join(folder, place))
    .find((file) => existsSync(file) && (!isPackage(file) || readFileSync(file, "utf8").includes(field)));

function ownSettings(
  { file }: { readonly file?: string | undefined },
  cwd: string,
  configuration: string,
): SettingsFile | undefined {
  if (file === undefined) return firstIn([configuration], true);
  const named = readFile(path.resolve(cwd, file), true);
  if (named === undefined) throw settingsError([`${file}: there is no such file, or no settings in it`]);
  return named;
}

function firstIn(folders: readonly string[], own: boolean): SettingsFile | undefined {
  for (const folder of folders) {
    const files = places.map((place) => path.join(folder, place));
    for (const [index, file] of files.entries()) {
      const found = readFile(file, own);
      if (found !== undefined) return { ...found, unread: files.slice(index + 1).find(hasSettings) };
    }
  }
  return undefined;
}

/** Whether a file sets something, or somebody has tried to. */
function hasSettings(file: string): boolean {
  try {
    return Object.keys(readFile(file, false)?.content ?? {}).length > 0;
  } catch {
    return true;
  }
}

function readFile(file: string, own: boolean): SettingsFile | undefined {
  try {
    const text = readText(file);
    if (text === undefined) return undefined;
    const content = parse(file, text);
    if (content === undefined) return undefined;
    if (!isObject(content)) throw new Error("it does not hold an object");
    checkPlain(content);
    return {
      path: file,
      folder: path.dirname(file),
      content: content as JsonObject,
      digest: createHash("sha256").update(text).digest("hex"),
      own,
    };
  } catch (error) {
    const [first, ...parsers] = (error as Error).message.split("\n");
    throw settingsError([`${file}: ${parsers.find((line) => /^\w/.test(line)) ?? first}`], error);
  }
}

function readText(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  if (stat.size > maxBytes) throw new Error("it is larger than 1 MiB");
  return readFileSync(file, "utf8");
}

/**
 * The settings in a file's text; a package.json may have none. Only cosmiconfig's parsers are used: its
 * search would first look for settings of its own, and run `.config/config.js` of the working directory.
 */
function parse(file: string, text: string): unknown {
  if (isPackage(file) && !text.includes(field)) return undefined;
  const content: unknown = read(file, text) ?? {};
  if (!isPackage(file)) return content;
  const { pergola: settings } = content as { readonly pergola?: unknown };
  return isPluginManifest(settings) ? undefined : settings;
}

/** cosmiconfig is loaded for YAML, and to say where JSON is wrong. */
function read(file: string, text: string): unknown {
  const isJson = path.extname(file) === ".json";
  try {
    if (isJson) return JSON.parse(text);
  } catch {
    // It says so once more, and where.
  }
  const { loadJson, loadYaml } = load("cosmiconfig/dist/loaders.js") as Parsers;
  return (isJson ? loadJson : loadYaml)(file, text) as unknown;
}

const isPluginManifest = (settings: unknown): boolean => isObject(settings) && "kind" in settings;
