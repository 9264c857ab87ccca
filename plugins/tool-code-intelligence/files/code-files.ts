import path from "node:path";
import type { FileInfo, ToolContext } from "@pergola/sdk";
import { trackedFiles } from "./tracked-files.ts";

/** Never code of the project itself, where no version control says what is. */
const ignoredFolders = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  "bower_components",
  "__pycache__",
  ".venv",
  ".tox",
  ".gradle",
]);

/** Files looked into in one call. */
export const mostFiles = 20_000;
const deepest = 64;

interface CodeFiles {
  /** Relative to the working directory, or absolute when they lie outside. */
  readonly files: readonly string[];
  /** There are more than are listed. */
  readonly isCut: boolean;
}

/**
 * The named files, and the wanted ones in the named folders, each once; the working directory's when nothing
 * is named. Throws what the files door throws for a path that leads nowhere, or where the call may not go.
 */
export async function codeFiles(
  context: ToolContext,
  named: readonly string[],
  accepts: (file: string) => boolean,
): Promise<CodeFiles> {
  const files = new Set<string>();
  for (const start of named.length === 0 ? ["."] : named) {
    for await (const file of filesAt(context, start)) {
      if (accepts(file)) files.add(file);
      if (files.size > mostFiles) return { files: [...files].slice(0, mostFiles), isCut: true };
    }
  }
  return { files: [...files], isCut: false };
}

async function* filesAt(context: ToolContext, start: string): AsyncGenerator<string> {
  const { real, place } = await context.files.resolve(start);
  const root = (await context.files.resolve(".")).real;
  const displayPath = place === "inside" ? path.relative(root, real) : real;
  const info = await context.files.stat(real);
  if (info?.kind === "file") yield displayPath;
  else if (info?.kind === "directory") yield* filesBelow(context, displayPath, deepest);
  else yield* filesBelow(context, start, deepest);
}

/**
 * As version control sees the folder; where there is none, all but what is never the project's own. Links are
 * not followed.
 */
async function* filesBelow(context: ToolContext, folder: string, depth: number): AsyncGenerator<string> {
  context.signal.throwIfAborted();
  const below = (name: string): string => (folder === "" ? safe(name) : `${folder}/${name}`);
  const listed = context.files.list(folder || ".");
  const infos = await (depth === deepest ? listed : listed.catch((): readonly FileInfo[] => []));
  const listing = await listingOf(context, folder, depth, infos);
  if (listing !== undefined) {
    for (const file of listing.files) yield below(file);
    for (const inner of listing.repositories) yield* filesBelow(context, below(inner), depth - 1);
    return;
  }
  for (const { name, kind } of infos) {
    if (kind === "file") yield below(name);
    else if (kind === "directory" && depth > 1 && !ignoredFolders.has(name))
      yield* filesBelow(context, below(name), depth - 1);
  }
}

/**
 * git is asked where the search begins and wherever a repository does. A folder that it ignores as a whole
 * was named on purpose.
 */
async function listingOf(context: ToolContext, folder: string, depth: number, infos: readonly FileInfo[]) {
  if (depth < deepest && !infos.some(({ name }) => name === ".git")) return undefined;
  const listing = await trackedFiles(context, folder || ".");
  if (listing === undefined || listing.files.length + listing.repositories.length === 0) return undefined;
  return listing;
}

/** A name that begins with a tilde would mean somebody's home. */
const safe = (name: string): string => name.replace(/^~/, "./~");
