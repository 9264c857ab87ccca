import { lstatSync, readdirSync, type Dirent, type Stats } from "node:fs";
import path from "node:path";
import type { Boundaries } from "./boundaries.ts";
import type { Catalog } from "./catalog.ts";
import { leftOutMarkers } from "./left-out.ts";

/** Entries between two chances to stop for a moment. */
const stride = 200;

/** What means that nothing is there any more, or nothing that may be seen; other failures pass. */
const lasting = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"]);

export interface Place {
  readonly folder: string;
  /** Number of the folder above in the catalog; 0 for a root. */
  readonly parent: number;
  /** The file system that the root is on. */
  readonly device: number;
}

function look(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The entries; nothing when there is no such folder; a passing failure leaves the index as it is. */
function listed(folder: string): readonly Dirent[] | "gone" | "failed" {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : "gone";
  } catch (error) {
    return lasting.has(String((error as NodeJS.ErrnoException).code)) ? "gone" : "failed";
  }
}

/**
 * Compares one folder with the catalog and writes down what differs: files that came, changed (by size or
 * time) and went, and folders that went. Links, pipes and devices are left out, and so is what may not be
 * seen or lies on another file system. Yields now and then; returns the folders inside.
 */
export function* visitFolder(
  catalog: Catalog,
  boundaries: Boundaries,
  { folder, parent, device }: Place,
): Generator<void, readonly Place[]> {
  const entries = listed(folder);
  if (entries === "failed") return [];
  const isRoot = boundaries.roots.includes(folder);
  if (entries === "gone" || (!isRoot && entries.some(({ name }) => leftOutMarkers.includes(name)))) {
    catalog.removeFolder(folder);
    return [];
  }
  const id = catalog.folder(folder, parent);
  const gone = catalog.filesOf(id);
  const inside: string[] = [];
  for (const [index, entry] of entries.entries()) {
    if (index % stride === stride - 1) yield;
    const file = path.join(folder, entry.name);
    const stats = isSought(entry) && boundaries.holds(file, entry.isDirectory()) ? look(file) : undefined;
    if (stats === undefined || stats.dev !== device) continue;
    if (stats.isDirectory()) inside.push(file);
    if (!stats.isFile()) continue;
    const seen = { name: entry.name, size: stats.size, modified: stats.mtimeMs };
    const known = gone.get(entry.name);
    gone.delete(entry.name);
    if (known === undefined) catalog.add(id, seen);
    else if (known.size !== seen.size || known.modified !== seen.modified) catalog.change(known.id, seen);
  }
  for (const { id: file } of gone.values()) catalog.remove(file);
  const left = new Set(inside);
  for (const known of catalog.foldersOf(id)) if (!left.has(known)) catalog.removeFolder(known);
  return inside.map((each) => ({ folder: each, parent: id, device }));
}

const isSought = (entry: Dirent): boolean => entry.isFile() || entry.isDirectory();
