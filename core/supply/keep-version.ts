import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { pluginDigest } from "../plugins/plugin-digest.ts";
import { pluginsFolder, type LockEntry } from "../plugins/plugin-lock.ts";
import type { StagedPlugin } from "./stage-plugin.ts";

/** The files of others are changed by nobody; folders stay writable, so that their owner can remove them. */
function makeReadOnly(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) chmodSync(file, lstatSync(file).mode & 0o555);
  }
}

/**
 * Takes a fetched plugin to where it stays, below `<data>/plugins`, in one step; gives that place. The same
 * bytes that are there already stay.
 */
export async function keepVersion(
  dataDirectory: string,
  { manifest, files, folder, discard }: StagedPlugin,
): Promise<string> {
  const { id, version } = manifest;
  const name = path.join(id, `${version.replaceAll(/[^\w.+-]/g, "_")}-${files.slice(0, 8)}`);
  const place = path.join(pluginsFolder(dataDirectory), name);
  const isThere = (await pluginDigest(place).catch(() => undefined)) === files;
  if (isThere) {
    discard();
    return name;
  }
  makeReadOnly(folder);
  mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
  rmSync(place, { recursive: true, force: true });
  renameSync(folder, place);
  return name;
}

/** Removes the versions of a plugin that the lock does not name. */
export function removeOthers(dataDirectory: string, id: string, entry: LockEntry | undefined): void {
  const folder = path.join(pluginsFolder(dataDirectory), id);
  const kept = [entry?.current?.folder, entry?.previous?.folder].map((each) => path.basename(each ?? ""));
  const there = listed(folder);
  for (const name of there)
    if (!kept.includes(name)) rmSync(path.join(folder, name), { recursive: true, force: true });
  if (listed(folder).length === 0) rmSync(folder, { recursive: true, force: true });
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
