import {
  existsSync,
  linkSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { auditFolder, claimFile } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { awayNote, takenAway } from "../settings/interrupted-restore.ts";

/** What stands in the data directory stays: who did what is not forgotten, and models are large. */
const staying = ["audit", "models", "secret.key"];

/** Nobody writes into these files later. Those of the audit grow, and the old ones stay as they are. */
const isLasting = (name: string): boolean => name === "models";

/** Lets a folder appear at a second place; its files are the same ones where that is wanted and possible. */
function double(from: string, to: string, isLinked: boolean): void {
  if (lstatSync(from).isDirectory()) {
    mkdirSync(to, { mode: 0o700 });
    for (const name of readdirSync(from)) double(path.join(from, name), path.join(to, name), isLinked);
    return;
  }
  try {
    if (!isLinked) return copyFileSync(from, to);
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** The file of whoever writes into the audit at this moment. */
const turnIn = (dataDirectory: string): string => path.join(auditFolder(dataDirectory), "writing");

/** Brings into the new directory what stays of the present one. */
export function bringAlong(present: string, next: string): void {
  for (const name of staying) {
    if (!existsSync(path.join(present, name))) continue;
    rmSync(path.join(next, name), { recursive: true, force: true });
    double(path.join(present, name), path.join(next, name), isLasting(name));
    rmSync(turnIn(next), { force: true });
  }
}

/** Nobody else writes into the audit of a data directory meanwhile, wherever that goes. */
export function holdAudit(dataDirectory: string): (places: readonly string[]) => void {
  if (!existsSync(auditFolder(dataDirectory))) return () => undefined;
  claimFile(turnIn(dataDirectory));
  return (places) => places.forEach((place) => rmSync(turnIn(place), { force: true }));
}

/**
 * Puts a new data directory in the place of the present one, which gets the name `before`: two renames. While
 * the directory is missing, a note beside it says where it is, for the next start. Throws AppError when the
 * directory cannot be renamed; it is then where it was.
 */
export function swapData(present: string, next: string, before: string): void {
  const note = awayNote(present);
  try {
    writeFileSync(note, `${before}\n`, { mode: 0o600, flush: true });
    renameSync(present, before);
  } catch (cause) {
    rmSync(note, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    const message =
      `${present} cannot be given another name (${code}), as when a disk is mounted there. Restore into ` +
      "another one (--data), and move its content. Nothing was changed.";
    throw fault("storage_unavailable", message, { cause });
  }
  try {
    renameSync(next, present);
  } catch (cause) {
    if (!existsSync(present)) putBack(present);
    const where = existsSync(before) ? ` What was there is at ${before}.` : "";
    throw fault("storage_unavailable", `The backup could not be put at ${present}.${where}`, { cause });
  }
  rmSync(note, { force: true });
}

/** Gives the data directory back that an interrupted restore has taken away; gives where it was. */
export function putBack(dataDirectory: string): string | undefined {
  const away = takenAway(dataDirectory);
  if (away !== undefined) renameSync(away, dataDirectory);
  rmSync(awayNote(dataDirectory), { force: true });
  return away;
}
