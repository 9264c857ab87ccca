import { chmodSync, closeSync, existsSync, openSync } from "node:fs";

/**
 * The store holds secrets, so its files are their user's alone, also those that SQLite makes beside it: they
 * get the mode of the file itself.
 */
export function closeToOthers(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  for (const each of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(each)) chmodSync(each, 0o600);
}
