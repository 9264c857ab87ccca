import { temporaryFolder } from "@pergola/sdk/testing";
import { Connection, openDatabase } from "../../worker/connection.ts";
import { migrate } from "../../worker/migrate.ts";
import { addVectorDistance } from "../../worker/vector-distance.ts";

/** A connection without its thread, and every statement that it prepared. */
export function openConnection(): Connection & { readonly prepared: readonly string[] } {
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
    return get(text);
  };
  return Object.assign(connection, { prepared });
}
