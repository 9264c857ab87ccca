import { checkStorageId, type Storage } from "@pergola/sdk";
import { indexKey } from "./index-key.ts";
import { parameters } from "./find-sql.ts";
import { lexeme, lexemeQuery, lexemesOf } from "./lexemes.ts";
import { NamedTable } from "./named-table.ts";
import type { RecordsHost } from "./postgres-records.ts";
import type { Transaction } from "./transaction.ts";

export type TextIndex = ReturnType<NonNullable<Storage["text"]>>;
type IndexedText = Parameters<TextIndex["index"]>[0][number];
type TextQuery = Parameters<TextIndex["find"]>[0];
type Term = TextQuery["terms"][number];
type TextMatch = Awaited<ReturnType<TextIndex["find"]>>[number];

/** Words tell which texts to look into; phrases are looked for in the words as they stand. */
const createSql = (number: number): string => `
  CREATE TABLE text_${number} (row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key bytea NOT NULL UNIQUE, id text NOT NULL, scope text NOT NULL, kind text NOT NULL,
    time double precision NOT NULL, words text NOT NULL, lexemes tsvector NOT NULL);
  CREATE INDEX ON text_${number} USING gin (lexemes) WITH (fastupdate = off);
  CREATE INDEX ON text_${number} USING hash (scope);
  CREATE INDEX ON text_${number} (time, row);`;

/** A text index. */
export function postgresTexts(host: RecordsHost, name: string): TextIndex {
  const { database, queue } = host;
  const table = new NamedTable(host, "texts", name, createSql);
  return {
    async index(texts) {
      for (const { id } of texts) checkStorageId(id);
      const given = texts.map((text) => ({ ...text }));
      table.prepare();
      await queue.ask([table.place], async (transaction) => indexTexts(transaction, table, given));
    },
    async removeScope(scope) {
      table.prepare();
      await queue.ask([table.place], async (transaction) => {
        await transaction.count(`DELETE FROM ${table.in(transaction.catalog)} WHERE scope = $1`, [scope]);
      });
    },
    async find(query) {
      const from = await table.ready();
      const { text, values } = findSql(from, query);
      return database.readPlanned<TextMatch>(text, values);
    },
  };
}

async function indexTexts(
  transaction: Transaction,
  named: NamedTable,
  texts: readonly IndexedText[],
): Promise<void> {
  const table = named.in(transaction.catalog);
  const remove = `DELETE FROM ${table} WHERE key = $1`;
  const insert =
    `INSERT INTO ${table} (key, id, scope, kind, time, words, lexemes) ` +
    "VALUES ($1, $2, $3, $4, $5, $6, array_to_tsvector($7))";
  await Promise.all(
    texts.flatMap(({ id, scope, kind, time, words }) => [
      transaction.count(remove, [indexKey(id)]),
      transaction.count(insert, [
        indexKey(id),
        id,
        scope,
        kind,
        time,
        ` ${words} `,
        lexemesOf([words.split(" ")]),
      ]),
    ]),
  );
}

function findSql(table: string, { terms, scope, kind, from, to, limit }: TextQuery) {
  const { values, bind } = parameters();
  const conditions = [`lexemes @@ ${bind(terms.flatMap(termQueries).join(" & "))}::tsquery`];
  for (const phrase of terms.filter(({ words }) => words.length > 1).map(phraseOf))
    conditions.push(`strpos(words, ${bind(phrase)}) > 0`);
  if (scope !== undefined) conditions.push(`scope = ${bind(scope)}`);
  if (kind !== undefined) conditions.push(`kind = ${bind(kind)}`);
  if (from !== undefined) conditions.push(`time >= ${bind(from)}`);
  if (to !== undefined) conditions.push(`time < ${bind(to)}`);
  const where = conditions.join(" AND ");
  const order = `ORDER BY time DESC, row DESC LIMIT ${bind(limit)}`;
  const text = `SELECT id, scope FROM ${table} WHERE ${where} ${order}`;
  return { text, values };
}

const termQueries = ({ words, isPrefix = false }: Term): readonly string[] =>
  words.map((word, at) => lexemeQuery(lexeme(word), isPrefix && at === words.length - 1));

const phraseOf = ({ words, isPrefix = false }: Term): string => ` ${words.join(" ")}${isPrefix ? "" : " "}`;
