import type { Database } from "better-sqlite3";
import { openLastingDatabase } from "@pergola/kit-storage/directory";
import type { Durability } from "../messages.ts";
import { Catalog } from "./catalog.ts";
import { Records } from "./records.ts";
import { SearchCatalog } from "./search-catalog.ts";
import { Statements } from "./statements.ts";
import { VectorCodes } from "./vector-codes.ts";

/**
 * Milliseconds that a lock of another program is waited for before a request fails. Only the worker waits.
 */
const patience = 2000;

/**
 * WAL with FULL syncs the log at each commit, with NORMAL only before it is written back: then a loss of
 * power takes the last commits.
 */
const synchronous: Readonly<Record<Durability, string>> = { power: "FULL", process: "NORMAL" };

/** An open database file with everything that works on it. */
export class Connection {
  readonly database: Database;
  readonly statements: Statements;
  readonly catalog: Catalog;
  readonly records: Records;
  readonly searches: SearchCatalog;
  readonly codes = new VectorCodes();

  constructor(database: Database) {
    this.database = database;
    this.statements = new Statements(database);
    this.catalog = new Catalog(database);
    this.records = new Records(this.catalog, this.statements);
    this.searches = new SearchCatalog(database);
  }

  /** Forgets what a rolled-back transaction had declared. */
  reload(): void {
    this.catalog.reload();
    this.searches.reload();
    this.codes.clear();
  }
}

/** The database with its settings in force, not yet brought to the newest format. Throws SqliteError. */
export function openDatabase(file: string, durability: Durability): Database {
  const database = openLastingDatabase(file, { timeout: patience });
  try {
    database.pragma("journal_mode = WAL");
    database.pragma(`synchronous = ${synchronous[durability]}`);
    database.pragma("journal_size_limit = 67108864");
    // Else what a savepoint may have to take back goes into a file of its own, at nearly every commit.
    database.pragma("temp_store = MEMORY");
    // Kilobytes, for good: better-sqlite3 would take four times as many. The system has the pages, too.
    database.pragma("cache_size = -4096");
    database.pragma("trusted_schema = OFF");
    database.pragma("cell_size_check = ON");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
