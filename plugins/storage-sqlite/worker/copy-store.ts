import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { lockDirectory, openLastingDatabase } from "@pergola/kit-storage/directory";
import { PluginError, type JsonObject } from "@pergola/sdk";
import { readSettings } from "../read-settings.ts";
import { closeToOthers } from "./close-to-others.ts";
import { refusedBy } from "./refused.ts";

/** Does what may be refused. Throws PluginError. */
function allowed<T>(step: string, file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { message, remedy, cause } = refusedBy(error, file);
    throw new PluginError("storage-sqlite", step, message, { remedy, cause });
  }
}

/** The files that stand beside a database, copies from before a change of format among them. */
const isBeside = (name: string, file: string): boolean =>
  ["", "-wal", "-shm", "-journal"].some((end) => name === file + end) || name.startsWith(`${file}.format-`);

/**
 * Copies the database of a data directory into a folder, as it is at one moment: a host that works on it goes
 * on. Returns the names of the files that the copy takes the place of. Throws PluginError when the database
 * cannot be read.
 */
export function copyStore(settings: JsonObject, from: string, target: string): readonly string[] {
  const { file } = readSettings(settings);
  const full = path.join(from, file);
  const taken = readdirSync(from).filter((name) => isBeside(name, file));
  const names = [...taken, "pergola.lock", "pergola.pid"];
  if ((statSync(full, { throwIfNoEntry: false })?.size ?? 0) === 0) return names;
  const copy = path.join(target, file);
  allowed("copy the store", full, () => {
    const database = openLastingDatabase(full, { fileMustExist: true });
    try {
      database.prepare("VACUUM INTO ?").run(copy);
    } finally {
      database.close();
    }
  });
  closeToOthers(copy);
  return names;
}

/** Takes a data directory, so that no host can begin to work on it. Throws PluginError while one does. */
export const holdStore = (_: JsonObject, dataDirectory: string): (() => void) =>
  allowed("hold the store", dataDirectory, () => lockDirectory(dataDirectory));
