import { accessSync, constants, statSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { openLastingDatabase, Refused } from "@pergola/kit-storage/directory";
import { applicationId, formats } from "./formats.ts";
import { refusedBy, restore } from "./refused.ts";

const megabyte = 2 ** 20;

/**
 * A file up to this size is checked page by page at each start, which takes a tenth of a second at most; a
 * larger one after a crash only.
 */
const alwaysChecked = 16 * megabyte;

/** Above this size a check would keep the host from starting for long. */
const neverChecked = 1024 * megabyte;

/** Tells the operator something that is no reason to stop. */
export type Warn = (message: string) => void;

/**
 * Looks at a database file through a connection that cannot write. Throws Refused when it must not be used:
 * damaged, of another program, of a later format, not writable, or without its other half. A file that does
 * not exist yet is fine.
 */
export function checkFile(file: string, warn: Warn): void {
  const size = sizeOf(file);
  const unsaved = sizeOf(`${file}-wal`);
  if (size === 0 && unsaved > 0)
    throw new Refused(
      file,
      `is missing or empty, though ${file}-wal holds its last writes`,
      "Put back the file that belongs to it.",
    );
  if (size === 0) return;
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    withReader(file, (reader) => {
      checkOrigin(reader, file);
      if (size <= alwaysChecked || (unsaved > 0 && size <= neverChecked)) checkPages(reader, file);
      else if (unsaved > 0)
        warn(
          "the host was not stopped properly; the store is too large to be " +
            "checked at each start: run `PRAGMA quick_check` on it",
        );
    });
  } catch (error) {
    throw refusedBy(error, file);
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * A file whose beginning a power cut has interrupted can be read only after what was begun is taken back, for
 * which it must be written: SQLite does so with the first look.
 */
function withReader(file: string, use: (reader: Database) => void): void {
  try {
    look(file, use, { readonly: true });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "SQLITE_READONLY_ROLLBACK") throw error;
    look(file, use, {});
  }
}

function look(file: string, use: (reader: Database) => void, options: { readonly readonly?: boolean }): void {
  const reader = openLastingDatabase(file, { ...options, fileMustExist: true, timeout: 1000 });
  try {
    use(reader);
  } finally {
    reader.close();
  }
}

const numberOf = (reader: Database, pragma: string): number =>
  reader.pragma(pragma, { simple: true }) as number;

function checkOrigin(reader: Database, file: string): void {
  const isEmpty = reader.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  if (isEmpty) return;
  if (numberOf(reader, "application_id") !== applicationId) {
    throw new Refused(
      file,
      "is the database of another program",
      "Name another file under `storage.file`, or move that one away.",
    );
  }
  const format = numberOf(reader, "user_version");
  if (format <= formats.length) return;
  throw new Refused(
    file,
    `was written by a later Pergola (format ${format}; this one knows formats up to ${formats.length})`,
    "Start that version again, or restore the backup it made before it changed the file.",
  );
}

function checkPages(reader: Database, file: string): void {
  const answer = reader.pragma("quick_check(1)", { simple: true }) as string;
  if (answer === "ok") return;
  const fault = answer.replace(/\s+/g, " ").trim();
  throw new Refused(file, `is damaged (${fault})`, restore);
}
