import { lstat, mkdir, readdir } from "node:fs/promises";
import path from "node:path";

/** What a sandboxed program cannot change, though it lies in a folder that it may write. */
export interface ProtectedPlaces {
  /** Folders that must stay where they are, since protected files lie in them. */
  readonly fixed: readonly string[];
  readonly readOnly: readonly string[];
}

const patternOf = (step: string): RegExp =>
  new RegExp(`^${step.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "i");

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

/** The existing files that a name such as `.git/config` or `.yarnrc*` means in a folder. */
async function matches(folder: string, [step, ...rest]: readonly string[]): Promise<readonly string[]> {
  if (step === undefined) return [folder];
  const pattern = patternOf(step);
  const found = (await namesIn(folder)).filter((name) => pattern.test(name));
  const below = await Promise.all(found.map((name) => matches(path.join(folder, name), rest)));
  return below.flat();
}

/** git takes hooks from this folder once it is there. */
async function makeHooksFolder(folder: string): Promise<void> {
  const repository = path.join(folder, ".git");
  const stats = await lstat(repository).catch(() => undefined);
  if (stats?.isDirectory()) await mkdir(path.join(repository, "hooks"), { recursive: true });
}

/**
 * The protected names in a folder. What programs outside the sandbox execute or trust stays as it is; names
 * that do not exist yet, and those in folders further down, are not covered.
 */
export async function protectedPlaces(folder: string, names: readonly string[]): Promise<ProtectedPlaces> {
  if (names.some((name) => name.startsWith(".git/"))) await makeHooksFolder(folder);
  const steps = names.map((name) => name.split("/").filter(Boolean)).filter(({ length }) => length > 0);
  const readOnly = (await Promise.all(steps.map((each) => matches(folder, each)))).flat();
  const fixed = readOnly.map((file) => path.dirname(file)).filter((each) => each !== folder);
  return { fixed: [...new Set(fixed)], readOnly: [...new Set(readOnly)] };
}
