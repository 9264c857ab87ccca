import type { Statement } from "better-sqlite3";
import { temporaryFolder } from "@pergola/sdk/testing";
import { Connection, openDatabase } from "../../worker/connection.ts";
import { migrate } from "../../worker/migrate.ts";
import { addVectorDistance } from "../../worker/vector-distance.ts";

interface Watched {
  /** Every statement that was asked for. */
  readonly prepared: readonly string[];
  /** How many rows each statement gave that some work carried out. */
  read(work: () => void): readonly number[];
}

/** A connection without its thread. */
export function openConnection(): Connection & Watched {
  const file = `${temporaryFolder()}/pergola.db`;
  const database = openDatabase(file, "process");
  migrate(database, file);
  addVectorDistance(database);
  const connection = new Connection(database);
  const prepared: string[] = [];
  const { statements } = connection;
  const get = statements.get.bind(statements);
  statements.get = (text) => {
    prepared.push(text);
    return counting(get(text));
  };
  let rows: number[] = [];
  const counting = (statement: Statement): Statement => {
    const prototype = Object.getPrototypeOf(statement) as Statement;
    statement.all = (...values: unknown[]) => {
      const found = prototype.all.apply(statement, values);
      rows.push(found.length);
      return found;
    };
    return statement;
  };
  const read = (work: () => void): readonly number[] => {
    rows = [];
    work();
    return rows;
  };
  return Object.assign(connection, { prepared, read });
}
