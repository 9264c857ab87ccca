import path from "node:path";
import type { FileInfo, ToolContext } from "@pergola/sdk";
import type { Glob } from "./glob.ts";
import { rulingOn, withRulesOf, type IgnoreChain } from "./ignore-chain.ts";

/** Something found below the folder that is walked. */
export interface Found {
  /**
   * Relative to the working directory, or absolute when it lies outside: what the caller is told, and what
   * the files door takes.
   */
  readonly path: string;
  /** Relative to the folder that is walked: what globs are matched against. */
  readonly relative: string;
  readonly info: FileInfo;
  /** Version control ignores it, or it is `.git`. Such folders are not entered. */
  readonly ignored: boolean;
}

interface Folder {
  readonly path: string;
  readonly relative: string;
  /** Relative to the folder whose rules come first in the chain. */
  readonly ruled: string;
  readonly chain: IgnoreChain;
}

/** What stands before the names of what is in a folder. */
const prefixOf = (folder: string): string => (folder === "" ? "" : `${folder}/`);

const below = (folder: string, name: string): string => prefixOf(folder) + name;

/** A name that begins with a tilde would mean somebody's home. */
const safe = (name: string): string => name.replace(/^~/, "./~");

/**
 * Everything below a folder, depth first in name order, folders before what is in them; links are listed,
 * never followed. A file is its own walk. What cannot be listed is left out, except the folder itself, whose
 * error is thrown. Ignored entries that the glob spells out are treated like all others.
 */
export async function* walk(context: ToolContext, directory: string, glob?: Glob): AsyncGenerator<Found> {
  const start = await startOf(context, directory);
  const top = start.path || ".";
  const info = await context.files.stat(top);
  if (info?.kind === "file") {
    yield { path: start.path, relative: path.posix.basename(start.path), info, ignored: false };
    return;
  }
  const pending = [entriesOf(context, start, await context.files.list(top), glob)];
  for (let entries = pending.at(-1); entries !== undefined; entries = pending.at(-1)) {
    context.signal.throwIfAborted();
    const { value } = await entries.next();
    if (value === undefined) {
      pending.pop();
      continue;
    }
    yield value.found;
    if (value.found.ignored || value.found.info.kind !== "directory") continue;
    const inside = await context.files.list(value.folder.path).catch(() => []);
    pending.push(entriesOf(context, value.folder, inside, glob));
  }
}

/** The regular files of a walk that are not ignored. */
export async function* walkFiles(
  context: ToolContext,
  directory: string,
  glob?: Glob,
): AsyncGenerator<Found> {
  for await (const found of walk(context, directory, glob)) {
    if (found.info.kind === "file" && !found.ignored) yield found;
  }
}

type Entry = { readonly found: Found; readonly folder: Folder };

async function* entriesOf(
  context: ToolContext,
  folder: Folder,
  infos: readonly FileInfo[],
  glob: Glob | undefined,
): AsyncGenerator<Entry, undefined> {
  const hasRules = infos.some(({ name, kind }) => name === ".gitignore" && kind === "file");
  const base = prefixOf(folder.ruled);
  let { chain } = folder;
  if (hasRules) chain = await withRulesOf(chain, context, below(folder.path, ".gitignore"), base);
  for (const info of infos) {
    const inside = {
      path: safe(below(folder.path, info.name)),
      relative: below(folder.relative, info.name),
      ruled: base + info.name,
      chain,
    };
    const ruling = rulingOn(chain, inside.ruled, info.kind === "directory");
    const ignored = ruling?.ignored === true && glob?.names(info.name) !== true && glob?.text !== ruling.rule;
    const found = { path: inside.path, relative: inside.relative, info, ignored };
    yield { found, folder: inside };
  }
  return undefined;
}

/** Where the walk begins, with the rules of the folders between the working directory and it. */
async function startOf(context: ToolContext, directory: string): Promise<Folder> {
  const [root, target] = await Promise.all([context.files.resolve("."), context.files.resolve(directory)]);
  const unruled = { relative: "", ruled: "", chain: undefined };
  if (target.place === "outside") return { ...unruled, path: target.real };
  const inside = path.relative(root.real, target.real).split(path.sep).join("/");
  let chain = await withRulesOf(undefined, context, ".git/info/exclude", "");
  let ruled = "";
  for (const segment of inside.split("/").filter((name) => name !== "")) {
    chain = await withRulesOf(chain, context, below(ruled, ".gitignore"), prefixOf(ruled));
    ruled = below(ruled, segment);
    if (rulingOn(chain, ruled, true)?.ignored === true) return { ...unruled, path: safe(inside) };
  }
  return { path: safe(inside), relative: "", ruled, chain };
}
