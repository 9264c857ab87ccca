import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database, { SqliteError } from "better-sqlite3";
import { Refused } from "./refused.ts";

/** Milliseconds that a host which is about to stop is waited for. */
const patience = 500;

/**
 * Takes the data directory for this process, and returns the function that gives it back. The lock is one of the operating system on an
 * empty file, so it goes with the process however that ends. Throws Refused, naming the process that has it, when another has it.
 */
export function lockDirectory(directory: string): () => void {
  const note = path.join(directory, "pergola.pid");
  const lock = new Database(path.join(directory, "pergola.lock"), { timeout: patience });
  try {
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw error instanceof SqliteError && error.code.startsWith("SQLITE_BUSY") ? inUse(directory, note, error) : error;
  }
  writeFileSync(note, `${process.pid}\n`);
  return () => lock.close();
}

function inUse(directory: string, note: string, cause: unknown): Refused {
  const holder = holderOf(note);
  const who = holder === undefined ? "" : ` (process ${holder})`;
  return new Refused(
    directory,
    `is in use by another Pergola${who}`,
    "Stop that one first, or give this one a data directory of its own.",
    cause,
  );
}

function holderOf(note: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(note, "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}
