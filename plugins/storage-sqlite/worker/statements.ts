import type { Database, Statement } from "better-sqlite3";

/** Prepared statements by their text. */
export class Statements {
  readonly #database: Database;
  readonly #byText = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  get(text: string): Statement {
    const statement = this.#byText.get(text) ?? this.#database.prepare(text);
    this.#byText.set(text, statement);
    return statement;
  }
}
