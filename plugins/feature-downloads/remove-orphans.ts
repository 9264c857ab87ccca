import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { ownerOfPart } from "./names.ts";

/**
 * Milliseconds that nobody has written to it: another service may use the same folder, and its downloads are
 * not ours.
 */
const patience = 7 * 86_400_000;

/**
 * Removes the unfinished files below the folder that are of no known download and old; gives their places.
 */
export async function removeOrphans(
  root: string,
  known: readonly string[],
  now: number,
): Promise<readonly string[]> {
  const owners = new Set(known.map((id) => id.slice(0, 8)));
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  const removed: string[] = [];
  for (const entry of entries) {
    const owner = ownerOfPart(entry.name);
    if (!entry.isFile() || owner === undefined || owners.has(owner)) continue;
    const file = path.join(entry.parentPath, entry.name);
    if (now - (await stat(file)).mtimeMs < patience) continue;
    await rm(file);
    removed.push(file);
  }
  return removed;
}
