import { locate, resolvePlace, runGit, locateArguments, type Place } from "@pergola/kit-git";
import { ToolError, type ToolContext } from "@pergola/sdk";

/**
 * The repository that a folder is in. Only the working directory and what is below it is looked through, or,
 * outside of it, the folder itself. Undefined when there is none, or when its data lie elsewhere. Throws
 * ToolError `unavailable` when git is not installed, and those of the files door.
 */
export async function repositoryAt(context: ToolContext, file: string): Promise<Place | undefined> {
  const place = await resolvePlace(context.files, file);
  if ((await context.files.stat(place.folder))?.kind !== "directory") return undefined;
  const { exitCode, stdout } = await runGit(context, locateArguments, place);
  if (exitCode !== 0) return undefined;
  const found = await locate(context.files, stdout, place);
  if (typeof found === "string") return undefined;
  return place;
}

/** As `repositoryAt`; throws ToolError `not_found` instead. */
export async function requireRepository(context: ToolContext, file: string): Promise<Place> {
  const found = await repositoryAt(context, file);
  if (found !== undefined) return found;
  throw new ToolError("not_found", `"${file}" is not in a git repository of its own.`, {
    hint:
      "Give the top folder of a repository as repository_path. Linked work trees, and folders above the " +
      "working directory, are not followed.",
  });
}
