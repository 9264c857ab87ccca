import { randomBytes } from "node:crypto";
import { existsSync, linkSync, renameSync, statSync } from "node:fs";
import { copyFile, link, lstat, mkdir, readdir, readlink, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { JsonObject, StorageDefinition } from "@pergola/sdk";
import { auditFolder, claimFile } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { sdkLink } from "../supply/sdk-link.ts";
import { stagedEntries } from "./backup-files.ts";
import {
  backupFormat,
  canBeNamed,
  dataFolder,
  isKept,
  linkedFolder,
  stagePrefix,
  storeFolder,
  type BackupManifest,
  type KeptLink,
} from "./backup-layout.ts";
import { ArchiveWriter } from "./write-archive.ts";

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
  /** Links outside of workspaces, sockets and devices, and names that an archive cannot have. */
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
  if (name === sdkLink) return;
  if (!canBeNamed(name)) return void gathered.skipped.push(name);
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

/**
 * Copies the audit as it is at one moment, while nobody writes into it: lines and head belong together.
 */
async function copyAudit(dataDirectory: string, data: string, gathered: Gathered): Promise<void> {
  const [folder, to] = [auditFolder(dataDirectory), auditFolder(data)];
  const turn = path.join(folder, "writing");
  claimFile(turn);
  try {
    await mkdir(to, { mode: 0o700 });
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    for (const name of names.filter((one) => one !== path.basename(turn))) {
      await copyFile(path.join(folder, name), path.join(to, name));
      gathered.files += 1;
    }
  } finally {
    await rm(turn, { force: true });
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
  const { dataDirectory, definition, settings, tell } = options;
  const [store, data] = [path.join(stage, storeFolder), path.join(stage, dataFolder)];
  for (const folder of [store, data]) await mkdir(folder, { mode: 0o700 });
  tell("Copying the store…");
  const own = (await definition.copy?.(settings, dataDirectory, store)) ?? [];
  const gathered: Gathered = { files: 0, links: [], skipped: [] };
  const audit = path.basename(auditFolder(dataDirectory));
  for (const name of (await readdir(dataDirectory)).toSorted()) {
    if (name === audit) await copyAudit(dataDirectory, data, gathered);
    else if (isKept(name, own)) await gatherOne(dataDirectory, name, data, gathered);
  }
  gathered.files += (await readdir(store)).length;
  return gathered;
}

/** Packs a folder; the file gets its name when it is whole. */
async function pack(stage: string, file: string, about: Omit<BackupManifest, "files">): Promise<void> {
  const unfinished = `${file}.unfinished-${process.pid}`;
  const archive = new ArchiveWriter(unfinished);
  try {
    for await (const { name, isFolder } of stagedEntries(stage)) {
      const full = path.join(stage, name);
      if (isFolder) await archive.addFolder(name, (await stat(full)).mode);
      else await archive.addFile(name, full);
    }
    await archive.end(about);
    publish(unfinished, file);
  } catch (cause) {
    await archive.abandon();
    const { code = "", message } = cause as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw fault("invalid_value", `${file} is already there. Name another file.`, { cause });
    throw fault("storage_unavailable", `The backup could not be written: ${message}.`, { cause });
  } finally {
    await rm(unfinished, { force: true }).catch(() => undefined);
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

const isThere = (folder: string): boolean => existsSync(folder) && statSync(folder).isDirectory();

/**
 * Writes everything of a data directory into one file, while a service works on it or not. Rejects with
 * AppError when the file is there already or cannot be written, with PluginError when the store cannot be
 * read.
 */
export async function writeBackup(file: string, options: BackupOptions): Promise<Written> {
  if (existsSync(file)) throw fault("invalid_value", `${file} is already there. Name another file.`);
  const folder = path.dirname(file);
  if (!isThere(folder))
    throw fault("invalid_value", `There is no folder ${folder} for the backup. Make it first.`);
  const { dataDirectory, definition, version, tell } = options;
  await removeLeftovers(dataDirectory);
  const stage = path.join(dataDirectory, stagePrefix + randomBytes(6).toString("hex"));
  await mkdir(stage, { mode: 0o700 });
  try {
    const created = new Date().toISOString();
    const { files, skipped, links } = await fill(stage, options);
    tell(`Packing ${files} files…`);
    const about = { format: backupFormat, pergola: version, created, storage: definition.type, links };
    await pack(stage, file, about);
    return { bytes: (await stat(file)).size, files, skipped };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}
