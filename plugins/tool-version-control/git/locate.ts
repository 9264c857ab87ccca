import path from "node:path";
import { isBelow, ToolError, type Files, type ToolContext } from "@pergola/sdk";

export interface Location {
  /** Real path of the working tree. */
  readonly root: string;
  /** Real path of the repository's data. */
  readonly gitDirectory: string;
}

/**
 * What a repository's data holds at its top that may not lead elsewhere: git follows links without a word.
 */
const links = [
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

const none = (): ToolError =>
  new ToolError("not_found", "There is no git repository here.", {
    hint: "Give the folder of one as repository_path. One that begins above the working directory must be named by an absolute path.",
  });

const elsewhere = (): ToolError =>
  new ToolError("permission_denied", "The repository's files lie elsewhere than the folder that was named.", {
    hint: "Give the folder that holds both the files and their .git as repository_path.",
  });

/**
 * The folder that a call names, and the one that everything must stay in: the working directory, or outside
 * of it that folder.
 */
export async function placeOf(
  { files, workingDirectory }: ToolContext,
  given: string,
): Promise<{ folder: string; base: string }> {
  await files.list(given);
  const { real: folder, place } = await files.resolve(given);
  return { folder, base: place === "inside" ? (await files.resolve(workingDirectory)).real : folder };
}

/**
 * Checks the answer of `rev-parse --path-format=absolute --show-toplevel --git-dir --git-common-dir`: working
 * tree and data lie in `base`, by their real paths, and the tree has a `.git` of its own. A `.git` file,
 * `core.worktree` or a link could name any other repository.
 */
export async function checkLocation(files: Files, output: string, base: string): Promise<Location> {
  const [top, directory, common, ...rest] = output.split("\n").slice(0, -1);
  if (top === undefined || directory === undefined || common === undefined || rest.length > 0) throw none();
  const real = async (file: string): Promise<string> => (await files.resolve(file)).real;
  const [root, gitDirectory, commonDirectory] = (await Promise.all([top, directory, common].map(real))) as [
    string,
    string,
    string,
  ];
  if ((await files.stat(path.join(root, ".git"))) === undefined) throw none();
  const inner = await Promise.all(links.map((name) => real(path.join(commonDirectory, name))));
  if (![root, gitDirectory, commonDirectory, ...inner].every((file) => isBelow(base, file)))
    throw elsewhere();
  return { root, gitDirectory };
}
