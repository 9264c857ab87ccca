import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "@pergola/sdk";
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
  /** SHA-256 of its bytes: trust is given to a content, not to a name. */
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
  for (const folder of [...upward(cwd), own]) {
    for (const place of places) {
      const found = await readFile(path.join(folder, place), folder === own);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/**
 * Only cosmiconfig's parsers are used. Its search first looks for settings of its own, and runs
 * `.config/config.js` of the working directory.
 */
async function readFile(file: string, own: boolean): Promise<SettingsFile | undefined> {
  const inPackage = path.basename(file) === "package.json";
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) return undefined;
    if (stat.size > maxBytes) throw new Error("it is larger than 1 MiB");
    const text = readFileSync(file, "utf8");
    if (inPackage && !text.includes('"pergola"')) return undefined;
    const { defaultLoaders } = await import("cosmiconfig");
    const parsed: unknown =
      defaultLoaders[path.extname(file) === ".json" ? ".json" : ".yaml"](file, text) ?? {};
    const content = inPackage ? (parsed as { readonly pergola?: unknown }).pergola : parsed;
    if (inPackage && (content === undefined || "kind" in Object(content))) return undefined;
    if (typeof content !== "object" || content === null || Array.isArray(content))
      throw new Error("it does not hold an object");
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
