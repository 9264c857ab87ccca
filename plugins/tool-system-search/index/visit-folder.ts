import { lstatSync, readdirSync, type Dirent, type Stats } from "node:fs";
import path from "node:path";
import type { Boundaries } from "./boundaries.ts";
import type { Catalog, KnownFile, SeenFile } from "./catalog.ts";
import { leftOutMarkers } from "./left-out.ts";

/** Entries between two chances to stop for a moment. */
const stride = 200;

/** What means that nothing is there any more, or nothing that may be seen; other failures pass. */
const lastingCodes = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"]);

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
function listFolder(folder: string): readonly Dirent[] | "gone" | "failed" {
  try {
    if (lstatSync(folder).isDirectory()) return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!lastingCodes.has(String((error as NodeJS.ErrnoException).code))) return "failed";
  }
  return "gone";
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
  const entries = listFolder(folder);
  if (entries === "failed") return [];
  if (entries === "gone" || isLeftOut(folder, entries, boundaries)) {
    catalog.removeFolder(folder);
    return [];
  }
  const id = catalog.folder(folder, parent);
  const gone = catalog.filesOf(id);
  const inside = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (index % stride === stride - 1) yield;
    const file = path.join(folder, entry.name);
    if (!isSought(entry, file, boundaries)) continue;
    const stats = look(file);
    if (stats?.dev !== device) continue;
    if (stats.isDirectory()) inside.add(file);
    if (!stats.isFile()) continue;
    const { size, mtimeMs: modified } = stats;
    updateFile(catalog, id, gone.get(entry.name), { name: entry.name, size, modified });
    gone.delete(entry.name);
  }
  for (const { id: file } of gone.values()) catalog.remove(file);
  removeFolders(catalog, id, inside);
  return [...inside].map((each) => ({ folder: each, parent: id, device }));
}

/** Adds a file that is new to the catalog, or changes one whose size or time differs. */
function updateFile(catalog: Catalog, folder: number, known: KnownFile | undefined, file: SeenFile): void {
  if (known === undefined) catalog.add(folder, file);
  else if (known.size !== file.size || known.modified !== file.modified) catalog.change(known.id, file);
}

/** Removes the folders of the catalog that are not inside any more. */
function removeFolders(catalog: Catalog, parent: number, inside: ReadonlySet<string>): void {
  for (const known of catalog.foldersOf(parent)) if (!inside.has(known)) catalog.removeFolder(known);
}

/** Whether a marker file says that the folder is not to be searched; a root is searched all the same. */
const isLeftOut = (folder: string, entries: readonly Dirent[], { roots }: Boundaries): boolean =>
  !roots.includes(folder) && entries.some(({ name }) => leftOutMarkers.includes(name));

const isSought = (entry: Dirent, file: string, boundaries: Boundaries): boolean =>
  (entry.isFile() || entry.isDirectory()) && boundaries.holds(file, entry.isDirectory());
