import path from "node:path";
import { isBelow, ToolError, type ToolContext } from "@pergola/sdk";
import { runGit } from "./run-git.ts";

/** A folder in a repository whose data lie in that repository. */
export interface Repository {
  readonly folder: string;
  readonly top: string;
}

/**
 * The repository that a folder is in. Only the working directory and what is below it is looked through, or,
 * outside of it, the folder itself. Undefined when there is none, or when its data lie elsewhere: a `.git`
 * file may point to any repository of the machine. Throws ToolError `unavailable` when git is not installed,
 * and those of the files door.
 */
export async function repositoryAt(context: ToolContext, given: string): Promise<Repository | undefined> {
  const [folder, root] = await Promise.all([context.files.resolve(given), context.files.resolve(".")]);
  if ((await context.files.stat(folder.real))?.kind !== "directory") return undefined;
  const repository = { folder: folder.real, top: folder.place === "inside" ? root.real : folder.real };
  const question = ["rev-parse", "--path-format=absolute", "--absolute-git-dir", "--git-common-dir"];
  const { exitCode, stdout } = await runGit(context, question, repository);
  const places = stdout.split("\n").filter((line) => line !== "");
  if (exitCode !== 0 || places.length !== 2) return undefined;
  const real = await Promise.all(
    places.map(async (place) => (await context.files.resolve(path.resolve(folder.real, place))).real),
  );
  return real.every((place) => isBelow(repository.top, place)) ? repository : undefined;
}

/** As `repositoryAt`; throws ToolError `not_found` instead. */
export async function requireRepository(context: ToolContext, given: string): Promise<Repository> {
  const found = await repositoryAt(context, given);
  if (found !== undefined) return found;
  throw new ToolError("not_found", `"${given}" is not in a git repository of its own.`, {
    hint: "Give the top folder of a repository as repository_path. Linked work trees, and folders above the working directory, are not followed.",
  });
}
