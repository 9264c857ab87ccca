import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { configurationFolder, type Surroundings, trustedDigests, upward } from "@pergola/sdk/host";

/** A tool in a single file. */
export interface ToolFile {
  readonly path: string;
  /** The tool's name, which is the file's. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of its bytes. */
  readonly digest: string;
  /** The person's own; else of a folder that is trusted with exactly these bytes. */
  readonly own: boolean;
}

/** A file that is not used, and why. */
export interface RefusedToolFile {
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

export interface ToolFiles {
  readonly files: readonly ToolFile[];
  readonly refused: readonly RefusedToolFile[];
  /** What the operator should know of folders whose tools are left alone. */
  readonly warnings: readonly string[];
}

/** Where a folder keeps its tools. */
const folderTools = path.join(".pergola", "tools");
const maxBytes = 1_048_576;
const goodName = /^[a-z][a-z0-9_]{0,62}$/;

/** The paths of the tools in a folder; files with a second dot, as in `dice.test.ts`, are none. */
function pathsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^[^.]+\.(ts|js)$/.test(name));
  return names.toSorted().map((name) => path.join(folder, name));
}

/** The tools in a working folder, as its list of trust names them. */
export const folderToolPaths = (folder: string): readonly string[] =>
  pathsIn(path.join(folder, folderTools)).map((file) => path.relative(folder, file));

export function digestOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function readToolFile(file: string, own: boolean): ToolFile | RefusedToolFile {
  const name = path.basename(file, path.extname(file));
  const refuse = (message: string, remedy: string): RefusedToolFile => ({ path: file, message, remedy });
  if (!goodName.test(name))
    return refuse(
      "the name of a tool has small letters, digits and underscores only",
      `Rename it, as in roll_dice${path.extname(file)}.`,
    );
  const facts = statSync(file, { throwIfNoEntry: false });
  if (!facts?.isFile()) return refuse("it is no ordinary file", "Put a file in its place, or remove it.");
  if (facts.size > maxBytes) return refuse("it is larger than 1 MiB", "Make a plugin of it.");
  const bytes = readFileSync(file);
  const digest = createHash("sha256").update(bytes).digest("hex");
  return { path: file, name, text: bytes.toString(), digest, own };
}

const isRefused = (file: ToolFile | RefusedToolFile): file is RefusedToolFile => "remedy" in file;

const sorted = (
  files: readonly (ToolFile | RefusedToolFile)[],
  warnings: readonly string[] = [],
): ToolFiles => ({
  files: files.filter((file): file is ToolFile => !isRefused(file)),
  refused: files.filter(isRefused),
  warnings,
});

/** Nothing of a folder is read that nobody trusts. */
function filesOfFolder(folder: string, where: Surroundings): ToolFiles {
  const real = realpathSync(folder);
  const trusted = trustedDigests(real, where);
  const advice = `pergola trust ${real}`;
  const names = folderToolPaths(real);
  if (trusted === undefined) {
    const message =
      `The tools of ${real} are not used, because nobody trusts this folder: ${names.join(", ")}. ` +
      `Read them. To use them, run: ${advice}`;
    return sorted([], names.length === 0 ? [] : [message]);
  }
  const files = names.map((name): ToolFile | RefusedToolFile => {
    const place = path.join(real, name);
    const remedy = `Read it. To use it as it is now, run: ${advice}`;
    if (trusted[name] === undefined)
      return { path: place, message: "it has come since you trusted its folder", remedy };
    const read = readToolFile(place, false);
    if (isRefused(read) || read.digest === trusted[name]) return read;
    return { path: place, message: "it has changed since you trusted its folder", remedy };
  });
  return sorted(files);
}

/** The tools in these files, which are the person's own. */
export const namedToolFiles = (files: readonly string[]): ToolFiles =>
  sorted(files.map((file) => readToolFile(file, true)));

/**
 * The tools in the person's configuration folder, and in `.pergola/tools` of the working directory or the
 * nearest folder above it that has one.
 */
export function findToolFiles(where: Surroundings): ToolFiles {
  const configuration = configurationFolder(where);
  const own = sorted(pathsIn(path.join(configuration, "tools")).map((file) => readToolFile(file, true)));
  const folders = upward(path.resolve(where.cwd ?? process.cwd()));
  const folder = folders.find((each) => existsSync(path.join(each, folderTools)));
  const others = folder === undefined ? sorted([]) : filesOfFolder(folder, where);
  return {
    files: [...own.files, ...others.files],
    refused: [...own.refused, ...others.refused],
    warnings: others.warnings,
  };
}
