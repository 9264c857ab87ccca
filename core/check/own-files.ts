import { readdirSync } from "node:fs";
import path from "node:path";

/** The files of a package itself, in order: none of its packages, and nothing in a folder with a dot. */
export function ownFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const full = path.join(folder, entry.name);
      if (entry.name === "node_modules" || entry.name.startsWith(".")) return [];
      if (entry.isDirectory()) return ownFiles(full);
      return entry.isFile() ? [full] : [];
    });
}
