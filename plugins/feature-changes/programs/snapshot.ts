import { lstatSync, readdirSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isBelow } from "@pergola/sdk";

/** What stood at a path; `mark` is another one as soon as the file is written to. */
export interface Entry {
  readonly kind: "file" | "directory" | "link";
  readonly size: number;
  readonly mode: number;
  readonly mark: string;
  /** Of the content, where it is kept. */
  sha256?: string;
}

export interface Snapshot {
  readonly entries: Map<string, Entry>;
  /** Folders of which all entries are known. */
  readonly listed: Set<string>;
  /** Why it is not whole. */
  readonly gap: string | undefined;
}

export interface Bounds {
  /** Files and folders. */
  readonly most: number;
  /** Milliseconds. */
  readonly time: number;
  /** The service's own folder, which is never looked into. */
  readonly dataDirectory: string;
}

/** Folders whose insides belong to programs and are made anew by them. */
const skipped = new Set([".git", "node_modules"]);
const atOnce = 256;

function kindOf(stats: Stats): Entry["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return "link";
}

export function entryOf(stats: Stats): Entry {
  const kind = kindOf(stats);
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  const mode = stats.mode & 0o7777;
  if (kind === "directory") return { kind, size, mode, mark: "" };
  return { kind, size, mode, mark: `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}` };
}

export const lookAt = (file: string): Stats | undefined => {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

const namesIn = (folder: string): readonly string[] | undefined => {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
};

/**
 * Everything below some folders, from above to below, links not followed; what nobody may see is left out.
 */
export async function takeSnapshot(
  roots: readonly string[],
  { most, time, dataDirectory }: Bounds,
): Promise<Snapshot> {
  const [entries, listed, start] = [new Map<string, Entry>(), new Set<string>(), performance.now()];
  const open = [...roots];
  let seen = 0;
  for (let folder = open.shift(); folder !== undefined; folder = open.shift()) {
    const all = namesIn(folder) ?? [];
    for (const name of all) {
      const file = folder === "/" ? `/${name}` : `${folder}/${name}`;
      if (++seen % atOnce === 0) await setImmediate();
      if (entries.size >= most)
        return { entries, listed, gap: `There are more than ${most} files and folders (changes.max_files).` };
      if (performance.now() - start > time)
        return { entries, listed, gap: `Looking at all files takes longer than ${time / 1000} s.` };
      if (skipped.has(name) || isOwn(dataDirectory, file, roots)) continue;
      const stats = lookAt(file);
      if (stats === undefined) continue;
      entries.set(file, entryOf(stats));
      if (stats.isDirectory()) open.push(file);
    }
    listed.add(folder);
  }
  return { entries, listed, gap: undefined };
}

/** The service's folder inside another; a working directory below it is looked at all the same. */
const isOwn = (dataDirectory: string, file: string, roots: readonly string[]): boolean =>
  file === dataDirectory && !roots.some((root) => isBelow(dataDirectory, root));
