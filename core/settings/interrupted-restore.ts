import { existsSync, lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { fault } from "../fault.ts";

/** The file that says, while a restore has the data directory away, where it is. */
export const awayNote = (dataDirectory: string): string => `${dataDirectory}.restoring`;

/**
 * Where the data are that a restore has taken away and did not replace any more. Undefined where the data
 * directory is in its place, and where there are none.
 */
export function takenAway(dataDirectory: string): string | undefined {
  if (lstatSync(dataDirectory, { throwIfNoEntry: false }) !== undefined) return undefined;
  if (!existsSync(awayNote(dataDirectory))) return undefined;
  const away = readFileSync(awayNote(dataDirectory), "utf8").trim();
  return path.dirname(away) === path.dirname(dataDirectory) && existsSync(away) ? away : undefined;
}

/**
 * Throws AppError `storage_unavailable` where a restore ended between its steps, so that nobody begins with
 * empty data.
 */
export function checkNoneInterrupted(dataDirectory: string): void {
  const away = takenAway(dataDirectory);
  if (away === undefined) return;
  const message =
    `A restore of ${dataDirectory} was interrupted. What was there is whole, in ${away}. Repeat the ` +
    `restore (pergola restore <file>), or go back to what was there: mv ${away} ${dataDirectory}`;
  throw fault("storage_unavailable", message);
}
