import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import type { CheckedPath } from "@pergola/sdk";
import { absolutePath, namePattern, spelling } from "./spelling.ts";

/** Tells whether a path lies in a credential store. */
export type ProtectedPaths = (file: CheckedPath, workingDirectory: string) => boolean;

/**
 * By segment, of two normal paths in one spelling. Every call with a path comes by here, once for each store.
 */
const isBelow = (folder: string, file: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);

type Holds = (file: string) => boolean;

/** Whether a path is what an entry of the list names, or lies below it. Both are in one spelling. */
function holderOf(store: string): Holds {
  if (!store.includes("*")) return (file) => isBelow(store, file);
  const patterns = store.split(path.sep).map(namePattern);
  return (file) => {
    const steps = file.split(path.sep);
    return patterns.every((fits, index) => index < steps.length && fits(steps[index]!));
  };
}

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
  const holders = stores.map(spelling).map(holderOf);

  return ({ requestedPath: requested, real, place }, workingDirectory) => {
    const files = [absolutePath(requested, workingDirectory, home), real].map(spelling);
    const chosen = spelling(workingDirectory);
    const isProtected = (holds: Holds): boolean => !holds(chosen) && files.some(holds);
    if (holders.some(isProtected)) return true;
    if (place !== "outside") return false;
    return stores.some((store) => isProtected(holderOf(spelling(realOf(store) ?? store))));
  };
}
