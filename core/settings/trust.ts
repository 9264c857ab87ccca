import { realpathSync } from "node:fs";
import path from "node:path";
import { fault } from "../fault.ts";
import { findSettings, type SettingsFile } from "./find-settings.ts";
import type { Surroundings } from "./folders.ts";
import { settingsError } from "./settings-error.ts";
import { digestOf, folderToolPaths } from "./tool-files.ts";
import { trustedDigests, trustedSettings, writeTrusted, type TrustedFiles } from "./trusted-list.ts";

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
  try {
    return realpathSync(full);
  } catch (cause) {
    throw fault("invalid_value", `There is no folder ${full}. Name one with a settings file in it.`, {
      cause,
    });
  }
}

/** What can be trusted in a folder, as it is now. */
export interface Trustworthy {
  readonly folder: string;
  /** By the paths of the files in the folder. */
  readonly files: TrustedFiles;
}

/** The settings file and the tools of a folder. Throws AppError when it has neither. */
export async function lookToTrust(folder: string, where: Surroundings = {}): Promise<Trustworthy> {
  const real = realFolder(folder, where);
  const { folder: settings } = await findSettings({ ...where, cwd: real });
  const tools = folderToolPaths(real).map((name) => [name, digestOf(path.join(real, name))] as const);
  const files = Object.fromEntries(tools);
  if (settings?.folder === real) files[path.basename(settings.path)] = settings.digest;
  if (Object.keys(files).length === 0)
    throw settingsError([
      `${folder}: there is no settings file in this folder, and no tool in .pergola/tools`,
    ]);
  return { folder: real, files };
}

/** Trusts a folder with its settings file and tools as they are now. Throws AppError if it has neither. */
export async function trustFolder(folder: string, where: Surroundings = {}): Promise<void> {
  const found = await lookToTrust(folder, where);
  writeTrusted(found.folder, found.files, where);
}
