import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SqliteError, type Database } from "better-sqlite3";
import { messageOf } from "@pergola/sdk";
import { openLastingDatabase } from "./lasting-database.ts";
import { Refused } from "./refused.ts";

/** Milliseconds that a host which is about to stop is waited for. */
const patience = 500;

/**
 * Takes the data directory for this process, and returns the function that gives it back. The lock is one of
 * the operating system on an empty file, so it goes with the process however that ends. Throws Refused,
 * naming the process that has it, when another has it.
 */
export function lockDirectory(directory: string): () => void {
  const file = path.join(directory, "pergola.lock");
  const note = path.join(directory, "pergola.pid");
  const lock = takeLock(file, (error) => refusal(directory, file, note, error));
  whereAllowed(() => writeFileSync(note, `${process.pid}\n`));
  return () => {
    whereAllowed(() => rmSync(note));
    lock.close();
  };
}

function takeLock(file: string, refuse: (error: unknown) => Refused): Database {
  let lock: Database | undefined;
  try {
    lock = openLastingDatabase(file, { timeout: patience });
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    throw refuse(error);
  }
}

function refusal(directory: string, file: string, note: string, cause: unknown): Refused {
  if (cause instanceof SqliteError && cause.code.startsWith("SQLITE_BUSY")) {
    const holder = whereAllowed(() => /^\d+/.exec(readFileSync(note, "utf8"))?.[0]);
    const who = holder && ` (process ${holder})`;
    return new Refused(
      directory,
      `is in use by another Pergola${who ?? ""}`,
      "Stop that one first, or give this one a data directory of its own.",
      cause,
    );
  }
  if (isUnloadable(cause)) {
    return new Refused(
      directory,
      `cannot be opened, because the native module of better-sqlite3 does not load (${messageOf(cause)})`,
      `Run \`npm rebuild better-sqlite3\` with this Node (${process.version}), or start Pergola with the ` +
        "Node that it was installed with.",
      cause,
    );
  }
  return new Refused(
    file,
    `cannot be locked (${messageOf(cause)})`,
    "Give the user that runs Pergola the right to write the folder; if nothing else helps, remove the file.",
    cause,
  );
}

/** The compiled part of better-sqlite3 is missing, or is for another Node or another system. */
function isUnloadable(cause: unknown): boolean {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === "ERR_DLOPEN_FAILED" || message.startsWith("Could not locate the bindings file");
}

/** The number of the process is a help for people; a disk that refuses it is no reason to stop. */
function whereAllowed<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
