import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fault } from "../fault.ts";
import { findSettings, type SettingsFile } from "./find-settings.ts";
import { configurationFolder, type Surroundings } from "./folders.ts";
import { settingsError } from "./settings-error.ts";

const listFile = (where: Surroundings): string => path.join(configurationFolder(where), "trusted.json");

function readList(where: Surroundings): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(listFile(where), "utf8")) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/**
 * Whether everything in a settings file counts: it is the user's own, or trusted with exactly this content.
 */
export const isTrusted = (file: SettingsFile, where: Surroundings): boolean =>
  file.own || readList(where)[realpathSync(file.folder)] === file.digest;

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

/**
 * Trusts the settings file in a folder as it is now; a change of it asks again. Throws AppError when the
 * folder has none.
 */
export async function trustFolder(folder: string, where: Surroundings = {}): Promise<string> {
  const real = realFolder(folder, where);
  const { folder: file } = await findSettings({ ...where, cwd: real });
  if (file?.folder !== real) throw settingsError([`${folder}: there is no settings file in this folder`]);
  mkdirSync(configurationFolder(where), { recursive: true, mode: 0o700 });
  writeFileSync(
    `${listFile(where)}.new`,
    JSON.stringify({ ...readList(where), [real]: file.digest }, null, 2),
    { mode: 0o600 },
  );
  renameSync(`${listFile(where)}.new`, listFile(where));
  return file.path;
}
