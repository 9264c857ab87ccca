import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isObject, messageOf, PluginError } from "@pergola/sdk";
import type { Discovery, FoundPlugin } from "./discover.ts";
import { pluginDigest } from "./plugin-digest.ts";

/** A plugin as it was when it was first used, or approved. */
interface LockedPlugin {
  readonly version: string;
  /** Of all its files. */
  readonly files: string;
  readonly approvedAt: string;
}

type Lock = Readonly<Record<string, LockedPlugin>>;

const lockFile = (dataDirectory: string): string => path.join(dataDirectory, "plugins", "lock.json");

/** What is locked; nothing without a file. Throws for a file that cannot be read. */
export function readLock(dataDirectory: string): Lock {
  const file = lockFile(dataDirectory);
  try {
    const lock: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isObject(lock)) return lock as Lock;
    throw new Error("it is no record");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    const advice = "Restore it from a backup, or delete it to take all plugins as they are now";
    throw new Error(`${file} cannot be read (${messageOf(error)}). ${advice}`, { cause: error });
  }
}

/** Locks plugins as they are now. */
export function lockPlugins(dataDirectory: string, plugins: Lock): void {
  const file = lockFile(dataDirectory);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ ...readLock(dataDirectory), ...plugins }, null, 2);
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

interface PinOptions {
  readonly dataDirectory: string;
  readonly timestamp: string;
  /** Plugins that are new here are locked as they are. */
  readonly record: boolean;
}

/**
 * Leaves out the packages of others whose files are not those that were approved: what a changed plugin does
 * is not known, and no one was asked. A new one is taken as it is. Plugins in folders, which their authors
 * change all the time, are not pinned.
 */
export async function pinPlugins(discovery: Discovery, options: PinOptions): Promise<Discovery> {
  const pinned = discovery.plugins.filter(({ source }) => source === "package");
  const faults: PluginError[] = [];
  const fresh: Record<string, LockedPlugin> = {};
  for (const plugin of pinned) {
    try {
      const locked = readLock(options.dataDirectory)[plugin.id];
      const files = await pluginDigest(plugin.folder);
      if (locked === undefined) fresh[plugin.id] = lockedAs(plugin, files, options.timestamp);
      else if (locked.files !== files) throw new Error(changeOf(plugin, locked));
    } catch (error) {
      const remedy =
        `Look at it, then approve it as it is now: pergola plugins approve ${plugin.id}. ` +
        "Or name it under disabled.";
      faults.push(new PluginError(plugin.id, "approve", messageOf(error), { remedy, cause: error }));
    }
  }
  if (options.record && Object.keys(fresh).length > 0) lockPlugins(options.dataDirectory, fresh);
  return { ...discovery, faults: [...discovery.faults, ...faults] };
}

/** The entry of a plugin as it is now. */
export const lockedAs = (
  { version }: Pick<FoundPlugin, "version">,
  files: string,
  approvedAt: string,
): LockedPlugin => ({ version, files, approvedAt });

function changeOf({ version }: FoundPlugin, { version: before, approvedAt }: LockedPlugin): string {
  const what = version === before ? `its files (version ${version})` : `version ${before} to ${version}`;
  return `it has changed since it was approved on ${approvedAt.slice(0, 10)}: ${what}`;
}
