import Database from "better-sqlite3";

/** All databases and statements of this thread. */
const objects: object[] = [];

function retain<T extends object>(made: T): T {
  objects.push(made);
  return made;
}

/**
 * Opens a database that lives as long as its thread, with all its statements. Node 24, from 24.19 on, ends
 * the whole process when it collects an object of a native module that was compiled against its headers while
 * no script is running. Retained objects are never collected; a closed database takes a few hundred bytes.
 * Throws SqliteError.
 */
export function openLastingDatabase(file: string, options?: Database.Options): Database.Database {
  const database = retain(new Database(file, options));
  const prepare = database.prepare.bind(database) as (source: string) => Database.Statement;
  database.prepare = ((source: string) => retain(prepare(source))) as typeof database.prepare;
  database.pragma = (source, { simple = false } = {}) => {
    const statement = database.prepare(`PRAGMA ${source}`);
    if (!statement.reader) return statement.run();
    if (simple) return statement.pluck().get();
    return statement.all();
  };
  return database;
}
