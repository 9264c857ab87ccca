import type { Database, Statement } from "better-sqlite3";

const maxStatements = 500;

/** Prepared statements by their text; the longest unused one gives way when there are too many. */
export class Statements {
  readonly #database: Database;
  readonly #byText = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  get(text: string): Statement {
    const statement = this.#byText.get(text) ?? this.#database.prepare(text);
    this.#byText.delete(text);
    this.#byText.set(text, statement);
    const [oldest = ""] = this.#byText.keys();
    if (this.#byText.size > maxStatements) this.#byText.delete(oldest);
    return statement;
  }
}
