import { linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import path from "node:path";

/**
 * A second folder with the same files on the disk: as good as a copy for whatever replaces files and never
 * writes into one, as npm does. `without`: names directly below `from` that are left out.
 */
export function linkTree(from: string, to: string, without: readonly string[] = []): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (without.includes(entry.name)) continue;
    const [old, fresh] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) linkTree(old, fresh);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(old), fresh);
    else linkSync(old, fresh);
  }
}
