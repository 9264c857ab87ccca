import type { Dirent } from "node:fs";
import { readdir, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { isBelow } from "@pergola/sdk";

/** What a program cannot change, though it lies in a folder that it may write. */
export interface KeptPlaces {
  /** Folders that must stay where they are, from above to below, since kept files lie in them. */
  readonly fixed: readonly string[];
  /** Files and folders whose content stays as it is. */
  readonly readOnly: readonly string[];
  /** Links with a kept name and where they lead: nothing can be mounted on a link itself. */
  readonly links: ReadonlyMap<string, string>;
  /** Folders that were looked into, and all folders that were seen: what else there is nobody knows. */
  readonly listed: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** Why not all of the folder was looked at; undefined when it was. */
  readonly gap: string | undefined;
}

interface Bounds {
  /** Files and folders that are looked at. */
  readonly most: number;
  /** Milliseconds. */
  readonly time: number;
}

type Fits = (name: string) => boolean;
type Pattern = readonly Fits[];

const usual: Bounds = { most: 100_000, time: 3000 };
/** Folders that are full of others' files; what lies in them is looked at by its name only. */
const large = new Set(["node_modules", ".git"]);

const fits = (step: string): Fits => {
  const source = step.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const pattern = new RegExp(`^${source}$`, "i");
  return (name) => pattern.test(name);
};

export const patternsOf = (names: readonly string[]): readonly Pattern[] =>
  names.map((name) => name.split("/").filter(Boolean).map(fits)).filter(({ length }) => length > 0);

/** undefined where nobody may look: what is in it is not known. */
const entriesOf = (folder: string): Promise<readonly Dirent[] | undefined> =>
  readdir(folder, { withFileTypes: true }).catch(() => undefined);

/** What of the patterns is left one step further down. */
const advance = (open: readonly Pattern[], name: string): readonly Pattern[] =>
  open.filter(([first]) => first?.(name) === true).map(([, ...rest]) => rest);

interface Found {
  readonly files: string[];
  readonly links: Map<string, string>;
  readonly listed: Set<string>;
  readonly folders: Set<string>;
  readonly gap: string | undefined;
}

/**
 * Files, folders and links below a folder whose name, at any depth, is one of the patterns: `.git/config` of
 * a repository further down, too, and a `.git` that is a file. Links are not followed. What lies in a found
 * folder is not looked at.
 */
async function find(root: string, patterns: readonly Pattern[], bounds: Bounds): Promise<Found> {
  const found: Found = {
    files: [],
    links: new Map(),
    listed: new Set(),
    folders: new Set([root]),
    gap: undefined,
  };
  const folders: Step[] = [[root, []]];
  const start = performance.now();
  let seen = 0;
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    const [folder, begun] = next;
    const isLarge = large.has(path.basename(folder)) && folder !== root;
    const open = isLarge ? begun : [...begun, ...patterns];
    const entries = await entriesOf(folder);
    if (entries === undefined) continue;
    seen += entries.length;
    const gap = gapOf(seen, performance.now() - start, bounds);
    if (gap !== undefined) return { ...found, gap };
    found.listed.add(folder);
    const further = await sort(found, folder, entries, { open, isLarge });
    folders.push(...further);
  }
  return found;
}

type Step = readonly [folder: string, open: readonly Pattern[]];

/** Takes what is meant out of a folder's entries, and gives the folders to look into. */
async function sort(
  found: Found,
  folder: string,
  entries: readonly Dirent[],
  { open, isLarge }: { readonly open: readonly Pattern[]; readonly isLarge: boolean },
): Promise<readonly Step[]> {
  const further: Step[] = [];
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    const rest = advance(open, entry.name);
    if (entry.isDirectory()) found.folders.add(file);
    const isOnWay = entry.isDirectory() && !rest.some(({ length }) => length === 0);
    if (isOnWay && (rest.length > 0 || !isLarge)) further.push([file, rest]);
    if (!isOnWay && rest.length > 0) await add(found, file, entry);
  }
  return further;
}

function gapOf(seen: number, elapsed: number, { most, time }: Bounds): string | undefined {
  if (seen > most) return `There are more than ${most} files and folders.`;
  if (elapsed > time) return `Looking at all files takes longer than ${time / 1000} s.`;
  return undefined;
}

async function add({ files, links }: Found, file: string, entry: Dirent): Promise<void> {
  if (entry.isSymbolicLink()) links.set(file, await readlink(file).catch(() => ""));
  else files.push(file);
}

/** The folders between a folder and a file in it, from above to below. */
function between(root: string, file: string): readonly string[] {
  const steps = path.relative(root, path.dirname(file)).split(path.sep).filter(Boolean);
  return steps.map((_, at) => path.join(root, ...steps.slice(0, at + 1)));
}

/**
 * What exists of the kept names below a folder. A folder on the way to one is fixed: without a mount of its
 * own it could be renamed, and another one put in its place.
 */
export async function keptPlaces(
  root: string,
  names: readonly string[],
  bounds: Bounds = usual,
): Promise<KeptPlaces> {
  const { files, links, listed, folders, gap } = await find(root, patternsOf(names), bounds);
  const ends = await Promise.all([...links.keys()].map((link) => realpath(link).catch(() => "")));
  const targets = ends.filter((file) => file !== root && isBelow(root, file));
  const readOnly = [...new Set([...files, ...targets])];
  const fixed = new Set([...readOnly, ...links.keys()].flatMap((file) => between(root, file)));
  return { fixed: [...fixed].sort(), readOnly, links, listed, folders, gap };
}

/** A new `.git` goes as a whole: without its configuration and hooks it would be a broken repository. */
function whole(root: string, file: string, before: ReadonlySet<string>): string {
  const repository = between(root, file).findLast((folder) => path.basename(folder) === ".git");
  return repository === undefined || before.has(repository) ? file : repository;
}

/** Whether a folder was looked into before and the file was not there, or the folder itself is new. */
function isNew(file: string, before: Pick<KeptPlaces, "listed" | "folders">): boolean {
  const folder = path.dirname(file);
  if (before.listed.has(folder)) return true;
  return folder !== file && !before.folders.has(folder) && isNew(folder, before);
}

/**
 * What has appeared under a kept name since `before` was looked at, each item once and as a whole: what other
 * programs would execute or trust, although nobody approved it. A link that leads elsewhere now is one, too.
 * What lies where nobody looked before is never told: it may have been there.
 */
export async function appearedSince(
  before: KeptPlaces,
  root: string,
  names: readonly string[],
  bounds: Bounds = usual,
): Promise<readonly string[]> {
  const { files, links } = await find(root, patternsOf(names), bounds);
  const known = new Set([...before.readOnly, ...before.fixed]);
  const changed = [...links].filter(([link, target]) => before.links.get(link) !== target);
  const fresh = [...files, ...changed.map(([link]) => link)].filter(
    (file) => !known.has(file) && isNew(file, before),
  );
  return [...new Set(fresh.map((file) => whole(root, file, known)))];
}
