import {
  existsSync,
  linkSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { fault } from "../fault.ts";

/** What stands in the data directory stays: who did what is not forgotten, and models are large. */
const staying = ["audit", "models"];

/** Lets a folder appear at a second place; its files are the same ones where the disk allows. */
function double(from: string, to: string): void {
  if (!lstatSync(from).isDirectory()) {
    try {
      linkSync(from, to);
    } catch {
      copyFileSync(from, to);
    }
    return;
  }
  mkdirSync(to, { mode: 0o700 });
  for (const name of readdirSync(from)) double(path.join(from, name), path.join(to, name));
}

/** Brings into the new directory what stays of the present one. */
export function bringAlong(present: string, next: string): void {
  for (const name of staying) {
    if (!existsSync(path.join(present, name))) continue;
    rmSync(path.join(next, name), { recursive: true, force: true });
    double(path.join(present, name), path.join(next, name));
  }
}

/**
 * Puts a new data directory in the place of the present one, which gets the name `before`: two renames.
 * Throws AppError when the directory cannot be renamed; it is then where it was.
 */
export function swapData(present: string, next: string, before: string): void {
  try {
    renameSync(present, before);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message =
      `${present} cannot be given another name (${code}), as when a disk is mounted there. Restore into ` +
      "another one (--data), and move its content. Nothing was changed.";
    throw fault("storage_unavailable", message, { cause });
  }
  try {
    renameSync(next, present);
  } catch (cause) {
    if (!existsSync(present)) renameSync(before, present);
    const where = existsSync(before) ? ` What was there is at ${before}.` : "";
    throw fault("storage_unavailable", `The backup could not be put at ${present}.${where}`, { cause });
  }
}
