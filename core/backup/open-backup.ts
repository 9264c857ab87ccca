import { chmodSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject, Log, StorageDefinition } from "@pergola/sdk";
import { extract } from "tar";
import { fault } from "../fault.ts";
import { readEntries } from "../supply/tarball-entries.ts";
import { compareFiles } from "./backup-files.ts";
import {
  backupFormat,
  dataFolder,
  linkedFolder,
  manifestFile,
  storeFolder,
  type BackupManifest,
} from "./backup-layout.ts";

interface Opening {
  readonly definition: StorageDefinition;
  readonly settings: JsonObject;
  readonly log: Log;
}

const refused = (file: string, why: string, cause?: unknown) =>
  fault("invalid_value", `${file} cannot be restored: ${why}. Nothing was changed.`, { cause });

const tops = new Set<string>([storeFolder, dataFolder, manifestFile]);

/** Unpacks an archive that holds nothing but what a backup does. */
async function unpack(file: string, folder: string): Promise<void> {
  const names = new Set<string>();
  try {
    await readEntries(file, ({ path: name }) => {
      if (names.has(name)) return `${name} is in it twice`;
      names.add(name);
      return tops.has(name.split("/")[0] ?? "") ? undefined : `${name} is in no backup`;
    });
    if (!names.has(manifestFile)) throw new Error("it is no backup of Pergola, or not a whole one");
    await extract({ file, cwd: folder, strict: true, preserveOwner: false });
  } catch (cause) {
    throw refused(file, (cause as Error).message, cause);
  }
}

async function manifestIn(file: string, folder: string, type: string): Promise<BackupManifest> {
  const text = await readFile(path.join(folder, manifestFile), "utf8");
  const manifest = readManifest(text);
  if (manifest === undefined) throw refused(file, `its ${manifestFile} cannot be read`);
  if (manifest.format !== backupFormat)
    throw refused(file, `Pergola ${manifest.pergola} made it in a format that this one does not know`);
  if (manifest.storage !== type)
    throw refused(file, `it was made with the storage ${manifest.storage}, and the settings choose ${type}`);
  return manifest;
}

/** Undefined for a text that is none; what a later format has in it is not looked at. */
function readManifest(text: string): BackupManifest | undefined {
  try {
    const manifest = JSON.parse(text) as Partial<BackupManifest> | null;
    const { format, links, files } = manifest ?? {};
    const isWhole = Array.isArray(links) && Array.isArray(files);
    const isOne = typeof format === "number" && (format !== backupFormat || isWhole);
    return isOne ? (manifest as BackupManifest) : undefined;
  } catch {
    return undefined;
  }
}

/** Puts back the links of workspaces: none of them lies behind another. */
function makeLinks(file: string, data: string, { links }: BackupManifest): void {
  const root = realpathSync(data);
  for (const { path: name, target } of links) {
    const full = path.join(root, name);
    const isInside = path.normalize(name) === name && name.startsWith(linkedFolder + path.sep);
    try {
      if (!isInside || realpathSync(path.dirname(full)) !== path.dirname(full))
        throw new Error(`${name} is no link of a workspace`);
      symlinkSync(target, full);
    } catch (cause) {
      throw refused(file, (cause as Error).message, cause);
    }
  }
}

/**
 * Unpacks a backup into an empty folder, and opens its store once. Resolves to the data directory in it.
 * Rejects with AppError when the file is no whole backup of this storage, with PluginError when its store
 * cannot be used, as when a newer Pergola wrote it.
 */
export async function openBackup(
  file: string,
  folder: string,
  { definition, settings, log }: Opening,
): Promise<string> {
  await unpack(file, folder);
  const manifest = await manifestIn(file, folder, definition.type);
  const [store, data] = [path.join(folder, storeFolder), path.join(folder, dataFolder)];
  await mkdir(data, { recursive: true, mode: 0o700 });
  await mkdir(store, { recursive: true });
  await compareFiles(folder, manifest.files).catch((cause: unknown) => {
    throw refused(file, (cause as Error).message, cause);
  });
  chmodSync(data, 0o700);
  for (const name of readdirSync(store)) {
    rmSync(path.join(data, name), { recursive: true, force: true });
    renameSync(path.join(store, name), path.join(data, name));
  }
  makeLinks(file, data, manifest);
  const storage = await definition.open(settings, { dataDirectory: data, log });
  await storage.close();
  return data;
}
