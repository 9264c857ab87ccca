import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PluginError, type AppError, type JsonObject, type Log } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { storageAlone, storageNamed, type StorageAlone } from "../plugins/storage-alone.ts";
import { readSettings, type SettingsOptions, type SettingsSource } from "../settings/read-settings.ts";
import { wholeStorage, type WholeStorage } from "./read-all.ts";

/** A storage that something is moved from or to. */
export interface StorageSide extends StorageAlone {
  /** For people, without secrets; the same for the same storage. */
  readonly place: string;
  readonly dataDirectory: string;
  /** What `storage` in the settings has to say; undefined where another settings file says it. */
  readonly written: JsonObject | undefined;
}

const placeOf = ({ definition, settings }: StorageAlone, dataDirectory: string): string =>
  definition.placeOf?.(settings, dataDirectory) ?? `${dataDirectory}, ${definition.type}`;

/** What stands in a variable, where `env:<variable>` names one. Throws AppError when it is not set. */
function wordsOf(words: string | undefined, environment = process.env): string | undefined {
  const [, variable] = /^env:(.+)$/.exec(words ?? "") ?? [];
  if (variable === undefined) return words;
  const value = environment[variable];
  if (value !== undefined && value !== "") return value;
  throw fault("invalid_value", `The variable ${variable} is not set.`);
}

/**
 * Finds a storage: that of the settings in force, one that is named by its type or an address that its plugin
 * knows (itself or as `env:<variable>`), or that of another settings file. Rejects with AppError or
 * PluginError.
 */
export async function findSide(given: string | undefined, options: SettingsOptions): Promise<StorageSide> {
  const words = wordsOf(given);
  const [, scheme, rest] = /^([a-z][a-z0-9+-]+)(:.*)?$/.exec(words ?? "") ?? [];
  if (words !== undefined && scheme !== undefined) {
    const source = await readSettings(options);
    const named = await storageNamed(source, words);
    if (named !== undefined) return sideOf(named, source, named.written);
    if (rest !== undefined) throw unknownAddress(scheme);
  }
  const file = words === undefined ? options.file : path.resolve(words);
  const source = await readSettings({ ...options, file });
  return sideOf(await storageAlone(source), source);
}

const sideOf = (
  { definition, settings }: StorageAlone,
  { reader: { dataDirectory } }: SettingsSource,
  written?: JsonObject,
): StorageSide => {
  const place = placeOf({ definition, settings }, dataDirectory);
  return { definition, settings, dataDirectory, place, written };
};

const unknownAddress = (scheme: string): AppError =>
  fault(
    "invalid_value",
    `No plugin of these settings knows addresses that begin with ${scheme}:. Name the storage's plugin ` +
      "under plugins in the settings, or name a settings file that does.",
  );

/** Whether hosts work on a storage that several can share. */
export async function hasHosts({ definition, settings }: StorageAlone): Promise<boolean> {
  const view = await definition.view?.(settings);
  if (view === undefined) return false;
  try {
    return (await view.hosts()).some(({ isAlive }) => isAlive);
  } finally {
    await view.close();
  }
}

export interface OpenSide {
  readonly storage: WholeStorage;
  /** A service works on it, so that it may change at any time, or has changed since. */
  readonly isInUse: boolean;
  close(): Promise<void>;
}

async function openIn(side: StorageSide, dataDirectory: string, log: Log): Promise<WholeStorage> {
  const { definition, settings } = side;
  const door = { dataDirectory, log, hostLabel: "pergola migrate" };
  const storage = await definition.open(settings, door);
  try {
    return wholeStorage(storage, definition.type);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Opens it on a folder of its own, which goes when it is closed. */
async function openInScratch(
  side: StorageSide,
  log: Log,
  fill: (folder: string) => Promise<void> = async () => undefined,
): Promise<Pick<OpenSide, "storage" | "close">> {
  const folder = mkdtempSync(path.join(tmpdir(), "pergola-migrate-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await fill(folder);
    const storage = await openIn(side, folder, log);
    return { storage, close: () => storage.close().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What several hosts can share is not in the data directory, which a service may hold. */
const isElsewhere = ({ definition }: StorageSide): boolean => definition.view !== undefined;

/** Opens what is read. Where a service works on it alone, its content of this moment is read. */
export async function openSource(side: StorageSide, log: Log): Promise<OpenSide> {
  if (isElsewhere(side)) {
    const isInUse = await hasHosts(side);
    return { ...(await openInScratch(side, log)), isInUse };
  }
  const { definition, settings, dataDirectory } = side;
  if (await isHeld(side)) {
    const copy = async (folder: string): Promise<void> =>
      void (await definition.copy!(settings, dataDirectory, folder));
    return { ...(await openInScratch(side, log, copy)), isInUse: true };
  }
  const storage = await openIn(side, dataDirectory, log);
  return { storage, isInUse: false, close: () => storage.close() };
}

/** Whether a service keeps others away, and lets the data be copied. */
async function isHeld({ definition, settings, dataDirectory }: StorageSide): Promise<boolean> {
  if (definition.copy === undefined) return false;
  try {
    (await definition.hold?.(settings, dataDirectory))?.();
    return false;
  } catch (error) {
    if (PluginError.is(error)) return true;
    throw error;
  }
}

/** Opens what is written. Rejects while a service works on it. */
export async function openTarget(side: StorageSide, log: Log): Promise<Pick<OpenSide, "storage" | "close">> {
  if (await hasHosts(side))
    throw fault("in_use", `A service works on ${side.place}. Stop it first; nothing was changed.`);
  if (isElsewhere(side)) return openInScratch(side, log);
  const storage = await openIn(side, side.dataDirectory, log);
  return { storage, close: () => storage.close() };
}
