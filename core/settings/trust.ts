import { existsSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import {
  trustedDigests,
  trustedFolders,
  trustedSettings,
  withdrawTrust,
  writeTrusted,
  type Surroundings,
  type TrustedFiles,
} from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { findSettings, type SettingsFile } from "./find-settings.ts";
import { instructionDigests } from "./instruction-digests.ts";
import { settingsError } from "./settings-error.ts";
import { digestOf, folderToolPaths } from "./tool-files.ts";

/**
 * Whether everything in a settings file counts: it is the user's own, or trusted with exactly this content.
 */
export function isTrusted(file: SettingsFile, where: Surroundings): boolean {
  if (file.own) return true;
  const folder = realpathSync(file.folder);
  const digest = trustedDigests(folder, where)?.[path.basename(file.path)] ?? trustedSettings(folder, where);
  return digest === file.digest;
}

function realFolder(folder: string, { cwd = process.cwd() }: Surroundings): string {
  const full = path.resolve(cwd, folder);
  if (statSync(full, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(full);
  const advice = "Name one with a settings file, instructions, skills or tools in it.";
  throw fault("invalid_value", `There is no folder ${full}. ${advice}`);
}

/** What can be trusted in a folder, as it is now. */
export interface Trustworthy {
  readonly folder: string;
  /** By the paths of the files in the folder. */
  readonly files: TrustedFiles;
  /** What lies there and is not used, trusted or not, and why. */
  readonly leftOut: readonly string[];
}

/** The settings file, instructions, skills and tools of a folder. Throws AppError when it has none. */
export async function lookToTrust(folder: string, where: Surroundings = {}): Promise<Trustworthy> {
  const real = realFolder(folder, where);
  const { folder: settings } = await findSettings({ ...where, cwd: real });
  const tools = folderToolPaths(real).map((name) => [name, digestOf(path.join(real, name))] as const);
  const { files: instructions, leftOut } = await instructionDigests(real);
  const files: Record<string, string> = { ...instructions, ...Object.fromEntries(tools) };
  if (settings?.folder === real) files[path.basename(settings.path)] = settings.digest;
  if (Object.keys(files).length === 0)
    throw settingsError([
      `${folder}: there is no settings file in this folder, no AGENTS.md or CLAUDE.md, no skill, ` +
        "and no tool in .pergola/tools",
      ...leftOut,
    ]);
  return { folder: real, files, leftOut };
}

/** Trusts a folder with all that `lookToTrust` finds, as it is now. Throws AppError where that is nothing. */
export async function trustFolder(folder: string, where: Surroundings = {}): Promise<void> {
  const found = await lookToTrust(folder, where);
  writeTrusted(found.folder, found.files, where);
}

/** Trusts a folder no more, which may be gone by now; false where it was not trusted. */
export function distrustFolder(folder: string, where: Surroundings = {}): boolean {
  const full = path.resolve(where.cwd ?? process.cwd(), folder);
  return [full, existsSync(full) ? realpathSync(full) : full].some((each) => withdrawTrust(each, where));
}

/** A trusted folder, and in what it differs from what was trusted. */
export interface TrustState {
  readonly folder: string;
  readonly trusted: readonly string[];
  /** Files that are not in force: they have changed or come since, or are gone. */
  readonly differing: readonly string[];
}

/** All folders that are trusted. */
export async function trustStates(where: Surroundings = {}): Promise<readonly TrustState[]> {
  return Promise.all(trustedFolders(where).map((folder) => stateOf(folder, where)));
}

async function stateOf(folder: string, where: Surroundings): Promise<TrustState> {
  const now: Pick<Trustworthy, "files"> = await lookToTrust(folder, where).catch(() => ({ files: {} }));
  const trusted = trustedDigests(folder, where) ?? oldTrust(folder, now.files, where);
  const names = [...new Set([...Object.keys(trusted), ...Object.keys(now.files)])].toSorted();
  const differing = names.filter((name) => trusted[name] !== now.files[name]);
  return { folder, trusted: Object.keys(trusted), differing };
}

/** What was written down as the digest of a settings file alone, by the name that the file has now. */
function oldTrust(folder: string, files: TrustedFiles, where: Surroundings): TrustedFiles {
  const digest = trustedSettings(folder, where);
  const name = Object.keys(files).find((each) => files[each] === digest) ?? "the settings file";
  return digest === undefined ? {} : { [name]: digest };
}
