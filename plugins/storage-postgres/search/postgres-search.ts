import { bytesOf, codeOf } from "@pergola/kit-storage";
import { checkDocument, checkQuery, fuseRanks, searchWords } from "@pergola/sdk";
import type { SearchDocument, SearchHit, SearchIndex, SearchOptions, SearchQuery } from "@pergola/sdk";
import { indexKey } from "../index-key.ts";
import { lexemesOf } from "../lexemes.ts";
import type { RecordsHost } from "../postgres-records.ts";
import type { Transaction } from "../transaction.ts";
import { embeddingText } from "../pgvector.ts";
import { EmbeddingFill } from "./embedding-fill.ts";
import { fencedBy, type WriteOptions } from "../postgres-hosts.ts";
import { distancesOf, nearVectors, type Searcher } from "./near-vectors.ts";
import { fieldPrefix, scopeLexeme, searchTable, stemSql, type SearchTable } from "./search-table.ts";
import { VectorCodes } from "./vector-codes.ts";
import { wordHits } from "./word-hits.ts";

/** A search index. Vectors are copied when they are given. */
export function postgresSearch(host: RecordsHost, name: string, options: SearchOptions): SearchIndex {
  const search = searchTable(host, name, options);
  const { table } = search;
  const fill = new EmbeddingFill(search);
  const searcher = { search, codes: new VectorCodes(search), fill };
  const write = async (
    { fence }: WriteOptions,
    run: (transaction: Transaction, from: string) => Promise<unknown>,
  ): Promise<void> => {
    table.prepare();
    await host.queue.ask(
      [table.place],
      fencedBy(fence, async (transaction) => run(transaction, table.in(transaction.catalog))),
    );
  };
  return {
    async index(documents, by = {}) {
      for (const document of documents) checkDocument(name, options, document);
      const given = documents.map((one) => ({
        ...one,
        fields: { ...one.fields },
        vector: one.vector?.slice(),
      }));
      await write(by, async (transaction, from) =>
        Promise.all(given.flatMap((one) => indexDocument(transaction, from, search, one))),
      );
    },
    async remove(ids, by = {}) {
      const keys = ids.map(indexKey);
      await write(by, async (transaction, from) =>
        transaction.count(`DELETE FROM ${from} WHERE key = ANY ($1)`, [keys]),
      );
    },
    async removeScope(scope, by = {}) {
      await write(by, async (transaction, from) =>
        transaction.count(`DELETE FROM ${from} WHERE scope = $1`, [indexKey(scope)]),
      );
    },
    async query(query) {
      checkQuery(name, options, query);
      return querySearch(searcher, { ...query, vector: query.vector?.slice() });
    },
  };
}

/** Puts a document in the place of the one with the same id. */
function indexDocument(
  transaction: Transaction,
  table: string,
  { fields, vectors }: SearchTable,
  { id, scope, fields: texts, vector }: SearchDocument,
): readonly Promise<number>[] {
  const words = fields.map((field) => searchWords(Object.hasOwn(texts, field) ? texts[field]! : ""));
  const type = vectors();
  const [column, value] = type === undefined ? ["", ""] : [", embedding", `, $8::${type}.vector`];
  const insert =
    `INSERT INTO ${table} (key, id, scope, texts, vector, code, words${column}) ` +
    "SELECT $1, $2, $3, $4, $5, $6, array_to_tsvector(ARRAY(SELECT DISTINCT prefix || " +
    `${stemSql("word")} FROM unnest($7::text[]) AS given, LATERAL (SELECT ` +
    "left(given, strpos(given, ':')) AS prefix, substr(given, strpos(given, ':') + 1) AS word) parts))" +
    value;
  return [
    transaction.count(`DELETE FROM ${table} WHERE key = $1`, [indexKey(id)]),
    transaction.count(insert, [
      indexKey(id),
      id,
      indexKey(scope),
      JSON.stringify(texts),
      ifAny(vector, bytesOf),
      ifAny(vector, (given) => bytesOf(codeOf(given))),
      [...lexemesOf(words, fieldPrefix), scopeLexeme(scope)],
      ...(type === undefined ? [] : [ifAny(vector, embeddingText)]),
    ]),
  ];
}

const ifAny = <T>(vector: Float32Array | undefined, make: (vector: Float32Array) => T): T | null =>
  vector === undefined ? null : make(vector);

/** Words by bm25 and vectors by distance, merged. */
async function querySearch(searcher: Searcher, query: SearchQuery): Promise<readonly SearchHit[]> {
  const { vector, limit } = query;
  const [hits, near] = await Promise.all([
    wordHits(searcher.search, query),
    vector && nearVectors(searcher, query, vector),
  ]);
  const words = hits.map(({ id }) => id);
  const textScores = new Map(hits.map(({ id, score }) => [id, score]));
  const ranks = { words, textScores, limit };
  if (vector === undefined || near === undefined)
    return fuseRanks({ ...ranks, vectors: [], similarities: new Map() });
  const others = await distancesOf(searcher, words, vector);
  const similarities = new Map([...others, ...near].map(({ id, distance }) => [id, cosine(distance)]));
  return fuseRanks({ ...ranks, vectors: near.map(({ id }) => id), similarities });
}

/** From the Euclidean distance of vectors of unit length. */
const cosine = (distance: number): number => 1 - distance ** 2 / 2;
