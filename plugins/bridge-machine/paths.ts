import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import path from "node:path";
import { closeNames, fileFailure, isBelow, ToolError, type CheckedPath } from "@pergola/sdk";
import { systemFailure } from "@pergola/sdk/host";

export interface PathRules {
  readonly workingDirectory: string;
  readonly dataDirectory: string;
  /** What `~` means. */
  readonly home: string;
}

/** Folders in a path: each is opened by itself, and one that is made is recorded, while others wait. */
const deepest = 128;

/** The folders of the data directory that hold the person's own things. */
const openFolders = new Set(["workspaces", "calendars", "contacts", "notes", "models"]);

/**
 * undefined where nothing is, below a file too: what lies there is not told before it is known who may see
 * it.
 */
export function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * The path with all links followed, dangling ones too; what does not exist yet follows its nearest existing
 * parent.
 */
export function realPath(file: string, hops = 40): string {
  if (hops === 0) throw systemFailure("ELOOP");
  const found = statOf(file);
  if (found === undefined) return path.join(realPath(path.dirname(file), hops), path.basename(file));
  try {
    return realpathSync.native(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || !found.isSymbolicLink()) throw error;
    return realPath(path.resolve(realPath(path.dirname(file)), readlinkSync(file)), hops - 1);
  }
}

interface Listing {
  readonly modified: number;
  /** `device:inode` of the files in the folder. */
  readonly files: ReadonlySet<string>;
  readonly folders: readonly string[];
}

/** What was found in each folder, for as long as the folder does not change. */
const listings = new Map<string, Listing>();

const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

function listingOf(folder: string): Listing {
  const modified = statOf(folder)?.mtimeMs ?? 0;
  const known = listings.get(folder);
  if (known?.modified === modified) return known;
  const entries = readdirSync(folder).map((name) => path.join(folder, name));
  const found = entries.map((file) => [file, statOf(file)] as const);
  const listing = {
    modified,
    files: new Set(found.flatMap(([, stats]) => (stats?.isFile() === true ? [identityOf(stats)] : []))),
    folders: found.filter(([, stats]) => stats?.isDirectory() === true).map(([file]) => file),
  };
  // A folder that has just changed may change again without a new time.
  if (Date.now() - modified > 1000) listings.set(folder, listing);
  return listing;
}

/** A hard link has no path that gives it away: files are compared by identity, in all closed folders. */
function isOwnFile(stats: Stats, dataDirectory: string): boolean {
  const identity = identityOf(stats);
  const holds = (folder: string): boolean => {
    const { files, folders } = listingOf(folder);
    return files.has(identity) || folders.some(holds);
  };
  const { files, folders } = listingOf(dataDirectory);
  const closed = folders.filter((folder) => !openFolders.has(path.basename(folder)));
  return files.has(identity) || closed.some(holds);
}

/**
 * Whether nobody may see a real path, approved or not: the service's data directory but for the person's
 * folders in it, in any spelling (upper and lower case are one on some file systems), hard links to its
 * files, the key of the stored secrets, and the memory and environment of processes.
 */
export function isClosed(real: string, dataDirectory: string, stats?: Stats): boolean {
  if (isBelow(dataDirectory.toLowerCase(), real.toLowerCase()))
    return !openFolders.has(path.relative(dataDirectory, real).split(path.sep)[0] ?? "");
  return (
    /^\/proc\/\d/.test(real) ||
    // The key of the stored secrets, in the configuration folder.
    /\/pergola\/secret\.key$/i.test(real) ||
    (stats?.isFile() === true && stats.nlink > 1 && isOwnFile(stats, dataDirectory))
  );
}

/**
 * What a path means: relative to the working directory, absolute, or from `~`. With `followLast` false a
 * final link stands for itself. Throws ToolError `invalid_value`, `path_escape`, `permission_denied` (for
 * what no approval opens) or `system_permission_denied`.
 */
export function resolvePath(
  file: string,
  { workingDirectory, dataDirectory, home }: PathRules,
  followLast = true,
): CheckedPath {
  if (file === "" || file.includes("\0"))
    throw new ToolError("invalid_value", "A path must not be empty or hold a NUL character.");
  const expanded = file.replace(/^~(?=\/|$)/, () => home);
  const full = path.resolve(workingDirectory, expanded);
  if (full.split(path.sep).length > deepest)
    throw new ToolError("invalid_value", `A path must not go through more than ${deepest} folders.`);
  if (!path.isAbsolute(expanded) && !isBelow(workingDirectory, full))
    throw new ToolError("path_escape", `"${file}" leaves the working directory.`, {
      hint: "Give an absolute path.",
    });
  try {
    const real = followLast ? realPath(full) : path.join(realPath(path.dirname(full)), path.basename(full));
    const stats = statOf(real);
    if (isClosed(real, realPath(dataDirectory), stats))
      throw new ToolError("permission_denied", `"${file}" belongs to the service or the system.`, {
        hint: "No approval opens it: do without it.",
      });
    return {
      requestedPath: file,
      real,
      place: isBelow(realPath(workingDirectory), real) ? "inside" : "outside",
      exists: stats !== undefined,
    };
  } catch (error) {
    throw fileFailure(error, file);
  }
}

/** Existing paths with a name like the missing part of a path, relative ones where that is possible. */
export function closePaths(real: string, rules: PathRules): readonly string[] {
  const folder = path.dirname(real);
  try {
    const close = closeNames(path.basename(real), readdirSync(folder)).map((name) => path.join(folder, name));
    const open = close.filter((file) => !isClosed(file, rules.dataDirectory));
    return open.map((file) =>
      isBelow(rules.workingDirectory, file) ? path.relative(rules.workingDirectory, file) : file,
    );
  } catch {
    if (folder === real) return [];
    return closePaths(folder, rules);
  }
}
