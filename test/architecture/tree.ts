import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");

const skipped = new Set(["node_modules", "dist", ".git"]);

/** All files below a folder, relative to the root, in order. */
export function filesBelow(folder: string): readonly string[] {
  const full = path.join(root, folder);
  if (!existsSync(full)) return [];
  return readdirSync(full, { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(path.join(folder, entry.name)) : [path.join(folder, entry.name)],
    );
}

export const sources = (folder: string): readonly string[] =>
  filesBelow(folder).filter((file) => /\.tsx?$/.test(file));
export const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
export const linesOf = (file: string): number => read(file).split("\n").length - 1;
export const isTest = (file: string): boolean => /(^|\/)test\//.test(file);

export const pluginFolders = (): readonly string[] =>
  readdirSync(path.join(root, "plugins"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** The folders of the kits, relative to the root. */
export const kitFolders = (): readonly string[] =>
  readdirSync(path.join(root, "sdk/kits"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `sdk/kits/${name}`);
