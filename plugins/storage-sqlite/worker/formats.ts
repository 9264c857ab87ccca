import type { Database } from "better-sqlite3";

/** "PERG": marks a database file as ours. */
export const applicationId = 0x50455247;

/** Brings a file from the format before to the next one. Runs inside a transaction. */
export type FormatStep = (database: Database) => void;

const first: FormatStep = (database) =>
  database.exec(`
    CREATE TABLE collections (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
      fields TEXT NOT NULL, indexes TEXT NOT NULL);
    CREATE TABLE searches (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, weights TEXT NOT NULL);
    CREATE TABLE blobs (row INTEGER PRIMARY KEY, id NOT NULL UNIQUE, bytes BLOB NOT NULL);`);

/**
 * The steps in their order: a file of format n has gone through the first n. Steps are added at the end and
 * never changed.
 */
export const formats: readonly FormatStep[] = [first];
