import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import type { CheckedPath } from "@pergola/sdk";
import { absolutePath, spelling } from "./spelling.ts";

/** Tells whether a path lies in a credential store. */
export type ProtectedPaths = (file: CheckedPath, workingDirectory: string) => boolean;

/**
 * By segment, of two normal paths in one spelling. Every call with a path comes by here, once for each store.
 */
const isBelow = (folder: string, file: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);

/** Undefined when nothing is there, or nothing that the service may see. */
function realOf(file: string): string | undefined {
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    return realpathSync.native(file);
  } catch {
    return undefined;
  }
}

/**
 * The credential stores of a list; `~` stands for `home`. A path is compared as it was called and as it
 * really is, so that neither a link into a store nor a link out of one hides it. A working directory that
 * somebody chose inside a store opens that store.
 */
export function protectedPaths(list: readonly string[], home: string): ProtectedPaths {
  const homes = new Set([home, realOf(home) ?? home]);
  const stores = [...homes].flatMap((folder) => list.map((entry) => absolutePath(entry, folder, folder)));
  const spelled = stores.map(spelling);

  return ({ requestedPath: requested, real, place }, workingDirectory) => {
    const files = [absolutePath(requested, workingDirectory, home), real].map(spelling);
    const chosen = spelling(workingDirectory);
    const holds = (store: string): boolean =>
      !isBelow(store, chosen) && files.some((file) => isBelow(store, file));
    return (
      spelled.some(holds) ||
      (place === "outside" && stores.some((store) => holds(spelling(realOf(store) ?? store))))
    );
  };
}
