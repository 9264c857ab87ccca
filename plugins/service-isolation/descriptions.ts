import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { compareText, isObject } from "@pergola/sdk";
import { programFolder } from "./node-line.ts";
import { pluginFolder } from "./readable.ts";

// What plugins bring, kept from one start to the next, so that a process is started only once it is needed.
// It saves time and is no proof: each process is asked again, and one that brings something else is not used.

interface Kept {
  /** Of the files that the description was made from. */
  readonly key: string;
  /** JSON. */
  readonly description: string;
}

const fileOf = (dataDirectory: string, id: string): string =>
  path.join(dataDirectory, "plugins", "described", `${encodeURIComponent(id)}.json`);

/** A line for each file of a plugin, its packages left out, by which a change shows. */
async function linesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const chosen = entries.filter(({ name }) => name !== "node_modules" && name !== ".git");
  const lines = await Promise.all(
    chosen.map(async (entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return linesOf(file);
      const { size, mtimeMs } = await stat(file);
      return [`${file} ${size} ${mtimeMs}`];
    }),
  );
  return lines.flat();
}

/** Of the program of their processes, which all plugins share: read once. */
let programLines: Promise<readonly string[]> | undefined;

/** Changes with the plugin's own files, with Node, and with the program of its process. */
export async function folderKey(entry: string): Promise<string> {
  programLines ??= linesOf(programFolder(""));
  const lines = await Promise.all([linesOf(pluginFolder(entry)), programLines]);
  const sorted = lines.flat().toSorted(compareText);
  return createHash("sha256")
    .update([process.version, ...sorted].join("\n"))
    .digest("hex");
}

/** The description of an unchanged plugin; undefined when there is none. */
export async function readDescription(
  dataDirectory: string,
  id: string,
  key: string,
): Promise<string | undefined> {
  try {
    const kept: unknown = JSON.parse(await readFile(fileOf(dataDirectory, id), "utf8"));
    if (!isObject(kept) || kept["key"] !== key || typeof kept["description"] !== "string") return undefined;
    return kept["description"];
  } catch {
    return undefined;
  }
}

/** Keeps a description; without a place for it, the next start asks again. */
export async function writeDescription(dataDirectory: string, id: string, kept: Kept): Promise<void> {
  const file = fileOf(dataDirectory, id);
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(`${file}.${process.pid}`, JSON.stringify(kept), { mode: 0o600 });
    await rename(`${file}.${process.pid}`, file);
  } catch {
    return;
  }
}

/** Lets the next start ask again. */
export const forgetDescription = (dataDirectory: string, id: string): Promise<void> =>
  rm(fileOf(dataDirectory, id), { force: true }).catch(() => undefined);
