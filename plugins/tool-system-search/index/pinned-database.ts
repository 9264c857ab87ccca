import Sqlite, { type Database, type Options, type Statement } from "better-sqlite3";

/** All databases and statements of this thread. */
const pinned: object[] = [];

/**
 * Opens a database that lives as long as its thread, with its statements, one for each text. Node 24, from
 * 24.19 on, ends the whole process when it collects an object of a native module that was compiled against
 * its headers while no script is running; what is pinned is never collected. Throws SqliteError.
 */
export function pinnedDatabase(file: string, options: Options): Database {
  const database = new Sqlite(file, options);
  const statements = new Map<string, Statement>();
  const prepare = database.prepare.bind(database) as (source: string) => Statement;
  database.prepare = ((source: string) => {
    const statement = statements.get(source) ?? prepare(source);
    statements.set(source, statement);
    return statement;
  }) as typeof database.prepare;
  database.pragma = (source, { simple = false } = {}) => {
    const statement = prepare(`PRAGMA ${source}`);
    pinned.push(statement);
    if (!statement.reader) return statement.run();
    return simple ? statement.pluck().get() : statement.all();
  };
  pinned.push(database, statements);
  return database;
}
