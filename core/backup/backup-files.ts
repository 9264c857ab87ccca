import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { dataFolder, storeFolder, type BackedUpFile } from "./backup-layout.ts";

/** A folder or a file of an unpacked backup, or of one in the making. */
export interface StagedEntry {
  /** As in the archive: below the folder, with slashes. */
  readonly name: string;
  readonly isFolder: boolean;
}

/** Everything of a backup in a folder but its manifest, each folder before what is in it. */
export async function* stagedEntries(stage: string): AsyncGenerator<StagedEntry> {
  for (const top of [storeFolder, dataFolder]) {
    yield { name: top, isFolder: true };
    yield* entriesBelow(stage, top);
  }
}

async function* entriesBelow(stage: string, folder: string): AsyncGenerator<StagedEntry> {
  const entries = await readdir(path.join(stage, folder), { withFileTypes: true });
  for (const entry of entries) {
    const name = `${folder}/${entry.name}`;
    yield { name, isFolder: entry.isDirectory() };
    if (entry.isDirectory()) yield* entriesBelow(stage, name);
  }
}

async function digestOf(full: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(full), hash);
  return hash.digest("hex");
}

/**
 * Compares an unpacked backup with the list of its files. Rejects with Error for the first that was changed,
 * is not in the list, or is missing.
 */
export async function compareFiles(stage: string, listed: readonly BackedUpFile[]): Promise<void> {
  const missing = new Map(listed.map((file) => [file.path, file.sha256]));
  for await (const { name, isFolder } of stagedEntries(stage)) {
    if (isFolder) continue;
    const expected = missing.get(name);
    if (expected === undefined) throw new Error(`${name} is not in its list of files`);
    if ((await digestOf(path.join(stage, name))) !== expected) throw new Error(`${name} has been changed`);
    missing.delete(name);
  }
  const [first] = missing.keys();
  if (first !== undefined) throw new Error(`${first} is missing`);
}
