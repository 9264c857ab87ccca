import { chmodSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { Database } from "better-sqlite3";
import { pinnedDatabase } from "./pinned-database.ts";

/** Changes with the tables: an index of another generation is made anew. */
const generation = 1;

/** Milliseconds that a lock of another process is waited for. */
const patience = 2000;

/*
 * Full-text tables without contents keep words only. `names` finds parts of a name by its trigrams, `texts`
 * finds words; both get what was folded before, so that a name is found in whatever spelling.
 */
const tables = `
  CREATE TABLE folders (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, parent INTEGER NOT NULL);
  CREATE INDEX folders_parent ON folders (parent);
  CREATE TABLE files (
    id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name TEXT NOT NULL,
    folded TEXT NOT NULL, extension TEXT NOT NULL,
    size INTEGER NOT NULL, modified REAL NOT NULL, read INTEGER NOT NULL DEFAULT 0, UNIQUE (folder, name)
  );
  CREATE INDEX files_modified ON files (modified);
  CREATE INDEX files_unread ON files (modified) WHERE read = 0;
  CREATE TABLE facts (
    file INTEGER NOT NULL, attribute TEXT NOT NULL, text TEXT NOT NULL,
    number REAL, PRIMARY KEY (file, attribute)
  ) WITHOUT ROWID;
  CREATE INDEX facts_attribute ON facts (attribute, number);
  CREATE VIRTUAL TABLE names USING fts5 (folded, content = '', contentless_delete = 1,
    tokenize = 'trigram case_sensitive 1');
  CREATE VIRTUAL TABLE texts USING fts5 (
    name, facts, text, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
  );
`;

function open(file: string): Database {
  const database = pinnedDatabase(file, { timeout: patience });
  try {
    // What a crash takes is read again from the files.
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = NORMAL");
    database.pragma("journal_size_limit = 16777216");
    const found = database.pragma("user_version", { simple: true });
    if (found === generation) return database;
    if (found !== 0) throw new Error("another generation");
    database.exec(`BEGIN; ${tables} PRAGMA user_version = ${generation}; COMMIT;`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const isLocked = (error: unknown): boolean =>
  /^SQLITE_(BUSY|LOCKED|CANTOPEN|READONLY|FULL|IOERR)/.test(
    String((error as { readonly code?: string }).code),
  );

/**
 * Opens the index of a folder, which only the user may enter. What is no index is thrown away: all in it can
 * be read again.
 */
export function openDatabase(folder: string): Database {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const file = path.join(folder, "index.sqlite");
  try {
    return open(file);
  } catch (error) {
    if (isLocked(error) || (error as NodeJS.ErrnoException).code === "ERR_DLOPEN_FAILED") throw error;
    for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
    return open(file);
  }
}
