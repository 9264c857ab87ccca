import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "../util/is-object.ts";
import { configurationFolder, type Surroundings } from "./surroundings.ts";

/** SHA-256 of each file that a folder is trusted with, by its path in the folder. */
export type TrustedFiles = Readonly<Record<string, string>>;

type List = Readonly<Record<string, unknown>>;

const listFile = (where: Surroundings): string => path.join(configurationFolder(where), "trusted.json");

function readList(where: Surroundings): List {
  try {
    const list: unknown = JSON.parse(readFileSync(listFile(where), "utf8"));
    return isObject(list) ? list : {};
  } catch {
    return {};
  }
}

/** The folders that are trusted, by their real paths. */
export const trustedFolders = (where: Surroundings): readonly string[] => Object.keys(readList(where));

/** The files that a folder is trusted with; undefined when it is not trusted. */
export function trustedDigests(realFolder: string, where: Surroundings): TrustedFiles | undefined {
  const files = readList(where)[realFolder];
  return isObject(files) ? (files as TrustedFiles) : undefined;
}

/** The digest of the settings file alone, as it was written down when a folder had nothing else to trust. */
export function trustedSettings(realFolder: string, where: Surroundings): string | undefined {
  const digest = readList(where)[realFolder];
  return typeof digest === "string" ? digest : undefined;
}

/** Trusts a folder with these files, and no others. */
export function writeTrusted(realFolder: string, files: TrustedFiles, where: Surroundings): void {
  writeList({ ...readList(where), [realFolder]: files }, where);
}

/** Trusts a folder no more; false where it was not trusted. */
export function withdrawTrust(realFolder: string, where: Surroundings): boolean {
  const { [realFolder]: files, ...others } = readList(where);
  if (files === undefined) return false;
  writeList(others, where);
  return true;
}

function writeList(list: List, where: Surroundings): void {
  mkdirSync(configurationFolder(where), { recursive: true, mode: 0o700 });
  writeFileSync(`${listFile(where)}.new`, JSON.stringify(list, null, 2), { mode: 0o600 });
  renameSync(`${listFile(where)}.new`, listFile(where));
}
