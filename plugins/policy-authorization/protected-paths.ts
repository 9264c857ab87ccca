import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import type { CheckedPath } from "@pergola/sdk";
import { absolutePath, namePattern, spelling } from "./spelling.ts";

/** Tells whether a path lies in a credential store. */
export type ProtectedPaths = (file: CheckedPath, workingDirectory: string) => boolean;

/** A normal path in its spelling, whole and in its segments. */
interface SpelledPath {
  readonly file: string;
  readonly steps: readonly string[];
}

/** Every call with a path asks each store about it: what all of them need is made once. */
function spelled(name: string): SpelledPath {
  const file = spelling(name);
  return { file, steps: file.split(path.sep) };
}

type Holds = (path: SpelledPath) => boolean;

/** Whether a path is what an entry of the list names, or lies below it. */
function holderOf(store: string): Holds {
  const name = spelling(store);
  if (name.includes("*")) {
    const patterns = name.split(path.sep).map(namePattern);
    return ({ steps }) =>
      patterns.length <= steps.length && patterns.every((fits, index) => fits(steps[index]!));
  }
  const folder = name.endsWith(path.sep) ? name : name + path.sep;
  return ({ file }) => file === name || file.startsWith(folder);
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
  const holders = stores.map(holderOf);

  return ({ requestedPath: requested, real, place }, workingDirectory) => {
    const files = [...new Set([absolutePath(requested, workingDirectory, home), real])].map(spelled);
    const chosen = spelled(workingDirectory);
    const isProtected = (holds: Holds): boolean => files.some(holds) && !holds(chosen);
    if (holders.some(isProtected)) return true;
    if (place !== "outside") return false;
    return stores.some((store) => isProtected(holderOf(realOf(store) ?? store)));
  };
}
