import { randomBytes } from "node:crypto";
import { existsSync, linkSync, renameSync } from "node:fs";
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readlink,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import type { JsonObject, StorageDefinition } from "@pergola/sdk";
import { create } from "tar";
import { fault } from "../fault.ts";
import {
  backupFormat,
  dataFolder,
  isKept,
  linkedFolder,
  manifestFile,
  stagePrefix,
  storeFolder,
  type BackupManifest,
  type KeptLink,
} from "./backup-layout.ts";

export interface BackupOptions {
  readonly dataDirectory: string;
  readonly definition: StorageDefinition;
  readonly settings: JsonObject;
  readonly version: string;
  /** What is done now, for a person. */
  readonly tell: (text: string) => void;
}

export interface Written {
  readonly bytes: number;
  readonly files: number;
  /** Links outside of workspaces, sockets and devices. */
  readonly skipped: readonly string[];
}

interface Gathered {
  files: number;
  readonly links: KeptLink[];
  readonly skipped: string[];
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** A name more for a file, which costs no room; a copy where the system gives none. */
async function keep(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}

/** Gathers a folder, so that what is deleted from now on is still there. */
async function gather(root: string, name: string, to: string, gathered: Gathered): Promise<void> {
  const from = path.join(root, name);
  const facts = await lstat(from);
  if (facts.isDirectory()) {
    await mkdir(path.join(to, name), { recursive: true, mode: facts.mode });
    for (const inside of (await readdir(from)).toSorted())
      await gatherOne(root, path.join(name, inside), to, gathered);
    return;
  }
  if (facts.isSymbolicLink() && name.startsWith(linkedFolder + path.sep))
    return void gathered.links.push({ path: name, target: await readlink(from) });
  if (!facts.isFile()) return void gathered.skipped.push(name);
  await keep(from, path.join(to, name));
  gathered.files += 1;
}

/** What is deleted before it could be gathered belongs to no backup. */
async function gatherOne(root: string, name: string, to: string, gathered: Gathered): Promise<void> {
  try {
    await gather(root, name, to, gathered);
  } catch (error) {
    if (!isGone(error) || existsSync(path.join(root, name))) throw error;
  }
}

/** Removes what backups left that were ended before their end, a day ago or longer. */
async function removeLeftovers(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    const folder = path.join(dataDirectory, name);
    const isOld = async (): Promise<boolean> => Date.now() - (await stat(folder)).mtimeMs > 86_400_000;
    if (name.startsWith(stagePrefix) && (await isOld())) await rm(folder, { recursive: true, force: true });
  }
}

async function fill(stage: string, options: BackupOptions): Promise<Gathered> {
  const { dataDirectory, definition, settings, version, tell } = options;
  const [store, data] = [path.join(stage, storeFolder), path.join(stage, dataFolder)];
  for (const folder of [store, data]) await mkdir(folder, { mode: 0o700 });
  tell("Copying the store…");
  const own = (await definition.copy?.(settings, dataDirectory, store)) ?? [];
  const gathered: Gathered = { files: 0, links: [], skipped: [] };
  for (const name of (await readdir(dataDirectory)).toSorted())
    if (isKept(name, own)) await gatherOne(dataDirectory, name, data, gathered);
  gathered.files += (await readdir(store)).length;
  const manifest: BackupManifest = {
    format: backupFormat,
    pergola: version,
    created: new Date().toISOString(),
    storage: definition.type,
    links: gathered.links,
  };
  await writeFile(path.join(stage, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
  return gathered;
}

/** Packs a folder; the file gets its name when it is whole. */
async function pack(stage: string, file: string): Promise<void> {
  const unfinished = `${file}.unfinished-${process.pid}`;
  // Each name is a file of its own, though some stand for the same bytes.
  const linkCache = Object.assign(new Map<`${number}:${number}`, string>(), { get: () => undefined });
  try {
    await create({ cwd: stage, file: unfinished, gzip: true, strict: true, mode: 0o600, linkCache }, [
      manifestFile,
      storeFolder,
      dataFolder,
    ]);
    await chmod(unfinished, 0o600);
    publish(unfinished, file);
  } catch (cause) {
    const { code = "", message } = cause as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw fault("invalid_value", `${file} is already there. Name another file.`, { cause });
    throw fault("storage_unavailable", `The backup could not be written: ${message}.`, { cause });
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Gives a file its name, unless there is one of that name. */
function publish(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST" || existsSync(file)) throw error;
    renameSync(unfinished, file);
  }
}

/**
 * Writes everything of a data directory into one file, while a service works on it or not. Rejects with
 * AppError when the file is there already or cannot be written, with PluginError when the store cannot be
 * read.
 */
export async function writeBackup(file: string, options: BackupOptions): Promise<Written> {
  if (existsSync(file)) throw fault("invalid_value", `${file} is already there. Name another file.`);
  const { dataDirectory, tell } = options;
  await removeLeftovers(dataDirectory);
  const stage = path.join(dataDirectory, stagePrefix + randomBytes(6).toString("hex"));
  await mkdir(stage, { mode: 0o700 });
  try {
    const { files, skipped } = await fill(stage, options);
    tell(`Packing ${files} files…`);
    await pack(stage, file);
    return { bytes: (await stat(file)).size, files, skipped };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}
