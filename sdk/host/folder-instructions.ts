import { createHash } from "node:crypto";
import { constants, lstatSync, realpathSync, type Stats } from "node:fs";
import { open, readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { isBelow } from "../util/is-below.ts";
import type { TrustedFiles } from "./trusted-list.ts";

/** The one of these that comes first has a folder's instructions. */
const instructionNames = ["AGENTS.md", "CLAUDE.md"] as const;
/** Where a folder keeps its skills. */
const skillPlaces = [".pergola/skills", ".agents/skills", ".claude/skills"] as const;

/** What is looked at below a folder of skills, or of one skill. */
const most = { depth: 6, folders: 2000, files: 2000, bytes: 16 << 20 } as const;
/** Bytes of a file of instructions. */
const largestText = 1 << 20;

/** What a folder has for models, by name; no file is opened for it. */
export interface FolderInstructions {
  /** Its own instructions: a name; undefined where there are none. */
  readonly file: string | undefined;
  /** The folders in which it keeps skills, relative to it. */
  readonly skills: readonly string[];
  /** Symbolic links in the place of these, relative to it. They are not followed. */
  readonly links: readonly string[];
}

type Kind = "file" | "directory" | "link" | "other";

/** undefined for what is not there, cannot be looked at, or is no name of a file. */
function kindOf(file: string): Kind | undefined {
  let facts: Stats | undefined;
  try {
    facts = lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
  if (facts === undefined) return undefined;
  if (facts.isSymbolicLink()) return "link";
  if (facts.isFile()) return "file";
  return facts.isDirectory() ? "directory" : "other";
}

/** Where the whole way to a folder of skills is made of folders; a link on it stands for something else. */
function skillPlace(folder: string, place: string): Kind | undefined {
  const above = kindOf(path.join(folder, path.dirname(place)));
  return above === "directory" ? kindOf(path.join(folder, place)) : above;
}

/** What lies in a folder; of instructions `AGENTS.md`, else `CLAUDE.md`. `folder`: a real path. */
export function instructionsIn(folder: string): FolderInstructions {
  const files = instructionNames.map((name) => [name, kindOf(path.join(folder, name))] as const);
  const places = skillPlaces.map((place) => [place, skillPlace(folder, place)] as const);
  const [file] = files.find(([, kind]) => kind === "file") ?? [];
  const linked = [...(file === undefined ? files : []), ...places];
  return {
    file,
    skills: places.filter(([, kind]) => kind === "directory").map(([place]) => place),
    links: linked.filter(([, kind]) => kind === "link").map(([name]) => name),
  };
}

/**
 * The bytes of an ordinary file, which is no link and at most so large; undefined for anything else. Never
 * waits, as for a pipe.
 */
export async function readOrdinary(file: string, largest = largestText): Promise<Buffer | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(file, flags).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const facts = await handle.stat();
    if (!facts.isFile() || facts.size > largest) return undefined;
    const bytes = await handle.readFile();
    return bytes.length > largest ? undefined : bytes;
  } finally {
    await handle.close();
  }
}

export const sha256 = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");

/** Fenced blocks and spans of code, in which an `@` names no file. */
const code = /^(```|~~~)[^]*?^\1|`[^`\n]*`/gm;
const mention = /(?<=^|\s)@([\w./-]*[\w/-])/gm;
/** What a name of a document ends with: keys and programs are never read because a text names them. */
const isDocument = (name: string): boolean => /\.(md|markdown|mdc|txt|rst|adoc)$/i.test(name);

/**
 * The documents that a text of instructions names with `@`, relative to its folder: ordinary files inside it,
 * with no link on the way. Other words that begin with `@` are words.
 */
export function importsOf(text: string, folder: string): readonly string[] {
  const named = [...text.replaceAll(code, "").matchAll(mention)].map(([, name = ""]) => name);
  const files = named
    .filter(isDocument)
    .map((name) => path.resolve(folder, name))
    .filter((file) => isInside(folder, file));
  return [...new Set(files)].map((file) => path.relative(folder, file));
}

function isInside(folder: string, file: string): boolean {
  if (file === folder || !isBelow(folder, file) || kindOf(file) !== "file") return false;
  return realpathSync(file) === file;
}

/** What lies in a folder. */
interface Entry {
  readonly name: string;
  readonly kind: Kind;
}

async function entriesOf(folder: string): Promise<readonly Entry[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .map((entry): Entry => {
      if (entry.isSymbolicLink()) return { name: entry.name, kind: "link" };
      if (entry.isFile()) return { name: entry.name, kind: "file" };
      return { name: entry.name, kind: entry.isDirectory() ? "directory" : "other" };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Walks through a folder and those below it, level by level. `below` gives the names of the folders that are
 * gone into; false where there is more than may be looked at.
 */
async function walk(
  start: string,
  below: (folder: string, entries: readonly Entry[]) => readonly string[],
): Promise<boolean> {
  let level = [start];
  let seen = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most.depth) return false;
    const next: string[] = [];
    for (const folder of level) {
      if (++seen > most.folders) return false;
      const names = below(folder, await entriesOf(folder));
      next.push(...names.map((name) => path.join(folder, name)));
    }
    level = next;
  }
  return true;
}

const foldersIn = (entries: readonly Entry[]): readonly string[] =>
  entries.filter(({ kind }) => kind === "directory").map(({ name }) => name);

const isLookedInto = (name: string): boolean => !name.startsWith(".") && name !== "node_modules";

/** The folders with a `SKILL.md` below a folder, absolute and in order; `isCut`: there is more to look at. */
export async function skillFolders(
  place: string,
): Promise<{ readonly folders: readonly string[]; readonly isCut: boolean }> {
  const folders: string[] = [];
  const isWhole = await walk(place, (folder, entries) => {
    const isSkill = entries.some(({ name, kind }) => name === "SKILL.md" && kind === "file");
    if (isSkill) folders.push(folder);
    return isSkill ? [] : foldersIn(entries).filter(isLookedInto);
  });
  return { folders, isCut: !isWhole };
}

/**
 * All files and links of a skill, by absolute names; undefined where it has too much to be looked at, or what
 * is neither file, folder nor link.
 */
async function skillFiles(skill: string): Promise<readonly Entry[] | undefined> {
  const found: Entry[] = [];
  const isWhole = await walk(skill, (folder, entries) => {
    const files = entries.filter(({ kind }) => kind !== "directory");
    found.push(...files.map(({ name, kind }) => ({ name: path.join(folder, name), kind })));
    return found.length > most.files ? [] : foldersIn(entries);
  });
  const isGood = isWhole && found.length <= most.files && found.every(({ kind }) => kind !== "other");
  return isGood ? found : undefined;
}

/** Reads one file of a skill for its digest; of a link that to which it points, unread. */
export type DigestOf = (entry: Entry) => Promise<{ readonly digest: string; readonly bytes: number }>;

export const digestOfEntry: DigestOf = async ({ name, kind }) => {
  if (kind === "link") return { digest: sha256(`link ${await readlink(name)}`), bytes: 0 };
  const content = await readOrdinary(name, most.bytes);
  if (content === undefined) throw new Error(`${name} cannot be read`);
  return { digest: sha256(content), bytes: content.length };
};

/**
 * SHA-256 of each file of a skill, by its path in `folder`; undefined where the skill is too large, or cannot
 * be read.
 */
export async function skillDigests(
  folder: string,
  skill: string,
  digestOf: DigestOf = digestOfEntry,
): Promise<TrustedFiles | undefined> {
  const digests: Record<string, string> = {};
  let left: number = most.bytes;
  for (const entry of (await skillFiles(skill)) ?? []) {
    const found = await digestOf(entry).catch(() => undefined);
    left -= found?.bytes ?? Number.POSITIVE_INFINITY;
    if (found === undefined || left < 0) return undefined;
    digests[path.relative(folder, entry.name)] = found.digest;
  }
  return Object.keys(digests).length > 0 ? digests : undefined;
}
