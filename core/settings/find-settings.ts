import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isObject, type JsonObject } from "@pergola/sdk";
import { checkPlain } from "@pergola/sdk/host";
import { configurationFolder, upward, type Surroundings } from "./folders.ts";
import { settingsError } from "./settings-error.ts";

const places = [
  "pergola.config.json",
  "pergola.config.yaml",
  "pergola.config.yml",
  ".pergolarc",
  "package.json",
];
const maxBytes = 1_048_576;

export interface SettingsFile {
  readonly path: string;
  readonly folder: string;
  readonly content: JsonObject;
  /** SHA-256 of its text: trust holds for one content, not for a name. */
  readonly digest: string;
  /** Lies in the user's configuration folder, or was named by the user. */
  readonly own: boolean;
}

/**
 * The nearest settings file from the working directory upward, else the user's own; `file` names one. Never
 * runs what it finds.
 */
export async function findSettings(
  where: Surroundings & { readonly file?: string | undefined },
): Promise<SettingsFile | undefined> {
  const cwd = path.resolve(where.cwd ?? process.cwd());
  if (where.file !== undefined) {
    const named = await readFile(path.resolve(cwd, where.file), true);
    if (named === undefined)
      throw settingsError([`${where.file}: there is no such file, or no settings in it`]);
    return named;
  }
  const own = configurationFolder(where);
  const files = [...upward(cwd), own].flatMap((folder) => places.map((place) => path.join(folder, place)));
  for (const file of files) {
    const found = await readFile(file, path.dirname(file) === own);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readFile(file: string, own: boolean): Promise<SettingsFile | undefined> {
  try {
    const text = readText(file);
    if (text === undefined) return undefined;
    const content = await parse(file, text);
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
async function parse(file: string, text: string): Promise<unknown> {
  const isPackage = path.basename(file) === "package.json";
  if (isPackage && !text.includes('"pergola"')) return undefined;
  const { defaultLoaders } = await import("cosmiconfig");
  const isJson = path.extname(file) === ".json";
  const load = defaultLoaders[isJson ? ".json" : ".yaml"];
  const content: unknown = load(file, text) ?? {};
  if (!isPackage) return content;
  const { pergola: settings } = content as { readonly pergola?: unknown };
  return isPluginManifest(settings) ? undefined : settings;
}

const isPluginManifest = (settings: unknown): boolean => isObject(settings) && "kind" in settings;
