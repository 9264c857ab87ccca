import path from "node:path";
import { isBelow, type Files } from "@pergola/sdk";

export interface Place {
  /** Real path of the folder that a call names. */
  readonly folder: string;
  /** Where all of the repository must be: the working directory, or outside of it that folder itself. */
  readonly top: string;
}

export interface Location {
  /** Real path of the working tree. */
  readonly root: string;
  /** Real path of the repository's data. */
  readonly gitDirectory: string;
}

/** Parts of a repository's data that may not lead elsewhere: git follows links silently. */
const dataFiles = [
  "HEAD",
  "config",
  "index",
  "info",
  "logs",
  "logs/HEAD",
  "modules",
  "objects",
  "packed-refs",
  "refs",
  "worktrees",
];

/** The git command whose output `locate` reads. */
export const locateArguments: readonly string[] = [
  "rev-parse",
  "--path-format=absolute",
  "--show-toplevel",
  "--git-dir",
  "--git-common-dir",
];

/** Resolves a folder that a call names. Throws what the files door throws. */
export async function resolvePlace(files: Files, folder: string): Promise<Place> {
  const [{ real, place }, root] = await Promise.all([files.resolve(folder), files.resolve(".")]);
  return { folder: real, top: place === "inside" ? root.real : real };
}

/**
 * Checks where a repository is, from the output of `locateArguments`: `none` when there is no working tree
 * with a `.git` of its own; `elsewhere` when the tree or the data are not below `top`, by their real paths. A
 * `.git` file, `core.worktree` or a link could name any other repository of the machine.
 */
export async function locate(
  files: Files,
  output: string,
  { folder, top }: Place,
): Promise<Location | "none" | "elsewhere"> {
  const [tree, directory, common, ...rest] = output.split("\n").slice(0, -1);
  if (tree === undefined || directory === undefined || common === undefined || rest.length > 0) return "none";
  const real = async (file: string): Promise<string> =>
    (await files.resolve(path.resolve(folder, file))).real;
  const [root, gitDirectory, commonDirectory] = await Promise.all([
    real(tree),
    real(directory),
    real(common),
  ]);
  if ((await files.stat(path.join(root, ".git"))) === undefined) return "none";
  const data = await Promise.all(dataFiles.map((name) => real(path.join(commonDirectory, name))));
  const isInside = [root, gitDirectory, commonDirectory, ...data].every((file) => isBelow(top, file));
  return isInside ? { root, gitDirectory } : "elsewhere";
}
