import Database from "better-sqlite3";

/** All databases and statements of this thread. */
const kept: object[] = [];

function keep<T extends object>(made: T): T {
  kept.push(made);
  return made;
}

/**
 * Opens a database that lives as long as its thread, with all its statements. Node 24, from 24.19 on, ends
 * the whole process when it collects an object of a native module that was compiled against its headers while
 * no script is running. What is kept is never collected; once the database is closed it is a few hundred
 * bytes. Throws SqliteError.
 */
export function keptDatabase(file: string, options?: Database.Options): Database.Database {
  const database = keep(new Database(file, options));
  const prepare = database.prepare.bind(database) as (source: string) => Database.Statement;
  database.prepare = ((source: string) => keep(prepare(source))) as typeof database.prepare;
  database.pragma = (source, { simple = false } = {}) => {
    const statement = database.prepare(`PRAGMA ${source}`);
    if (!statement.reader) return statement.run();
    return simple ? statement.pluck().get() : statement.all();
  };
  return database;
}
