import path from "node:path";
import { isBelow, ToolError, type ToolContext } from "@pergola/sdk";
import { requireNoOption } from "./names.ts";
import type { Repository } from "./repository.ts";

/** The real path of a file's folder, and the file's own name: a link is versioned as a link. */
async function realPath({ files }: ToolContext, file: string): Promise<string> {
  const folder = await files.resolve(path.dirname(file));
  return path.join(folder.real, path.basename(file));
}

/** The file of a filter as git names it, as a list of one; an empty list without a filter. */
export async function findFiles(
  context: ToolContext,
  repository: Repository,
  file: string | undefined,
): Promise<readonly string[]> {
  if (file === undefined) return [];
  return [await findFile(context, repository, file)];
}

/**
 * A file as git names it, from the repository's root. A relative path starts from the working directory, or
 * where that leads out of the repository or to nothing, from the repository's root, as git's own lists do.
 * Throws ToolError `path_escape` or `permission_denied`.
 */
export async function findFile(context: ToolContext, { root }: Repository, file: string): Promise<string> {
  requireNoOption(file, "A file");
  const places = [await realPath(context, file)];
  if (!path.isAbsolute(file) && !file.startsWith("~")) places.push(path.join(root, file));
  const candidates = places.filter((place) => isBelow(root, place));
  const there = await Promise.all(
    candidates.map(async (one) => (await context.files.stat(one)) !== undefined),
  );
  const chosen = candidates[Math.max(0, there.indexOf(true))];
  if (chosen !== undefined) return path.relative(root, chosen) || ".";
  throw new ToolError("permission_denied", `${file} lies outside the repository.`, {
    hint: "Name files of this repository only, or give another repository_path.",
  });
}
