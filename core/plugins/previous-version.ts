import path from "node:path";
import { packageFolder, type FoundPlugin } from "./discover.ts";
import { readManifest } from "./manifest.ts";
import { pluginDigest } from "./plugin-digest.ts";
import { differences } from "./plugin-grants.ts";
import { pluginsFolder, readLock, type LockedVersion } from "./plugin-lock.ts";

/** A locked version as it is found in its folder. */
export function versionAt(dataDirectory: string, found: FoundPlugin, locked: LockedVersion): FoundPlugin {
  const folder = packageFolder(dataDirectory, locked);
  const root = path.resolve(pluginsFolder(dataDirectory), locked.folder ?? "");
  return { ...found, ...readManifest(folder), folder, root };
}

/**
 * The last version of a plugin, if there is one, its files are those that were approved, and it asked for no
 * more than the present one.
 */
export async function goodPrevious(dataDirectory: string, id: string): Promise<LockedVersion | undefined> {
  const { current, previous } = readLock(dataDirectory)[id] ?? {};
  if (current === undefined || previous === undefined) return undefined;
  if (differences(current, previous).length > 0) return undefined;
  return (await hasApprovedFiles(dataDirectory, previous)) ? previous : undefined;
}

/** Whether the files of a version that Pergola keeps are those that were approved. */
export async function hasApprovedFiles(
  dataDirectory: string,
  { folder, files }: LockedVersion,
): Promise<boolean> {
  if (folder === undefined || files === null) return false;
  const root = path.resolve(pluginsFolder(dataDirectory), folder);
  return (await pluginDigest(root).catch(() => undefined)) === files;
}
