import { searchWords } from "@pergola/sdk";

/** A search as the file has it. */
export interface SearchTable {
  /** `search_<number>`: the documents. */
  readonly name: string;
  /** `search_<number>_words`: their words. */
  readonly words: string;
  /** The fields whose words are kept, in the order of their columns. */
  readonly fields: readonly string[];
  readonly weights: readonly number[];
  /** What was counted lately, by what was looked for. Old counts only make a search a little less apt. */
  readonly counts: Map<string, number>;
  /** The last row that was given, once one was. */
  readonly rows: { last?: number };
}

/** Word forms count as one word; case and accents are gone before a text gets here. */
const tokenizer = "porter unicode61 categories 'L* N* Co M*'";

const columnsOf = ({ fields }: SearchTable): readonly string[] => [
  "scope",
  ...fields.map((_, index) => `f${index}`),
];

/** The condition that a document lies in one of some scopes, which are its parameters. */
export const inScopes = (scopes: readonly string[]): string =>
  `scope IN (${scopes.map(() => "?").join(", ")})`;

/** A scope as one word of the index. The digit at its end keeps the stemmer away. */
export const scopeWord = (scope: string): string => `s${Buffer.from(scope).toString("hex")}0`;

export const createDocumentsSql = (name: string): string => `
  CREATE TABLE ${name} (row INTEGER PRIMARY KEY, id NOT NULL UNIQUE, scope NOT NULL,
    vector BLOB, texts TEXT NOT NULL);
  CREATE INDEX ${name}_scope ON ${name} (scope);`;

/** The codes of the vectors, in a place of their own: vectors are thirty times as large. */
export const createCodesSql = (name: string): string =>
  `CREATE TABLE ${name}_codes (scope NOT NULL, row INTEGER NOT NULL, ` +
  "code BLOB NOT NULL, PRIMARY KEY (scope, row)) WITHOUT ROWID";

export const createWordsSql = (table: SearchTable): string => `
  DROP TABLE IF EXISTS ${table.words};
  CREATE VIRTUAL TABLE ${table.words} USING fts5
    (${columnsOf(table).join(", ")}, content = '', contentless_delete = 1, tokenize = "${tokenizer}");`;

/** Two parts of the index are enough to be merged, instead of four. */
export const mergePairsSql = ({ words }: SearchTable): string =>
  `INSERT INTO ${words} (${words}, rank) VALUES ('usermerge', 2);`;

export function insertWordsSql(table: SearchTable): string {
  const columns = ["rowid", ...columnsOf(table)];
  return `INSERT INTO ${table.words} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}

/** The values of `insertWordsSql` after the row. */
export function wordsValues(
  { fields }: SearchTable,
  scope: string,
  texts: Readonly<Record<string, string>>,
): readonly string[] {
  const known = new Map(Object.entries(texts));
  return [scopeWord(scope), ...fields.map((field) => searchWords(known.get(field) ?? "").join(" "))];
}
