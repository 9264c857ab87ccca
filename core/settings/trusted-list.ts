import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "@pergola/sdk";
import { configurationFolder, type Surroundings } from "./folders.ts";

/** SHA-256 of each file that a folder is trusted with, by its path in the folder. */
export type TrustedFiles = Readonly<Record<string, string>>;

const listFile = (where: Surroundings): string => path.join(configurationFolder(where), "trusted.json");

function readList(where: Surroundings): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(listFile(where), "utf8")) as Record<string, unknown>;
  } catch {
    return {};
  }
}

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
  mkdirSync(configurationFolder(where), { recursive: true, mode: 0o700 });
  const list = JSON.stringify({ ...readList(where), [realFolder]: files }, null, 2);
  writeFileSync(`${listFile(where)}.new`, list, { mode: 0o600 });
  renameSync(`${listFile(where)}.new`, listFile(where));
}
