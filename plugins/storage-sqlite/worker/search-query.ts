import { candidatesFor, fuseRanks } from "@pergola/sdk";
import type { SearchHit, SearchQuery } from "@pergola/sdk";
import type { SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";
import type { VectorCodes } from "./vector-codes.ts";
import { wordHits } from "./word-hits.ts";

/** What a search works with. */
export interface Searcher {
  readonly statements: Statements;
  readonly codes: VectorCodes;
}

/** Up to this number of vectors, 1 µs each, all are compared. */
const comparedAll = 2000;

/** Of the nearest codes at least so many vectors are compared. */
const leastCompared = 500;

/** The share of codes whose vectors have to be there. */
const stillThere = 0.8;

interface Near {
  readonly id: string;
  readonly distance: number;
}

const anyOf = (values: readonly unknown[]): string => `(${values.map(() => "?").join(", ")})`;

const bytesOf = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer as ArrayBuffer, vector.byteOffset, vector.byteLength);

/** Cosine from the Euclidean distance of vectors of unit length. */
const cosine = (distance: number): number => 1 - distance ** 2 / 2;

/** Words by bm25 and vectors by distance, merged. */
export function querySearch(
  connection: Searcher,
  table: SearchTable,
  query: SearchQuery,
): readonly SearchHit[] {
  const [{ vector, limit }, { statements }] = [query, connection];
  const hits = wordHits(statements, table, query);
  const [words, textScores] = [hits.map(({ id }) => id), new Map(hits.map(({ id, score }) => [id, score]))];
  if (vector === undefined)
    return fuseRanks({ words, textScores, vectors: [], similarities: new Map(), limit });
  const near = nearest(connection, table, query, vector);
  const others = distances(statements, table, words, bytesOf(vector));
  const similarities = new Map([...others, ...near].map(({ id, distance }) => [id, cosine(distance)]));
  return fuseRanks({ words, textScores, vectors: near.map(({ id }) => id), similarities, limit });
}

/** All vectors are compared in a small scope; in a large one those whose codes are the nearest. */
function nearest(
  connection: Searcher,
  table: SearchTable,
  { scopes, text, limit }: SearchQuery,
  vector: Float32Array,
): readonly Near[] {
  const wanted = text === undefined ? limit : candidatesFor(limit);
  const size = connection.statements
    .get(
      `SELECT count(*) FROM (SELECT 1 FROM ${table.name} WHERE ` +
        `scope IN ${anyOf(scopes)} LIMIT ${comparedAll + 1})`,
    )
    .pluck();
  if (scopes.length === 0 || (size.get(...scopes) as number) <= comparedAll)
    return nearestOfAll(connection, table, scopes, vector, wanted);
  return scopes
    .flatMap((scope) => nearestByCode(connection, table, scope, vector, Math.max(leastCompared, 2 * wanted)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, wanted);
}

function nearestOfAll(
  { statements }: Searcher,
  { name }: SearchTable,
  scopes: readonly string[],
  vector: Float32Array,
  wanted: number,
) {
  const statement = statements.get(`
    SELECT id, vec_distance_L2(vector, ?) AS distance FROM ${name}
    WHERE scope IN ${anyOf(scopes)} AND length(vector) = ${vector.byteLength}
    ORDER BY distance, row LIMIT ?`);
  return statement.all(bytesOf(vector), ...scopes, wanted) as Near[];
}

/** Codes of vectors that are gone take the place of others; when they are many the codes are read anew. */
function nearestByCode(
  { statements, codes }: Searcher,
  table: SearchTable,
  scope: string,
  vector: Float32Array,
  wanted: number,
): readonly Near[] {
  const statement = statements.get(`
    SELECT id, vec_distance_L2(vector, ?) AS distance FROM ${table.name}
    WHERE row IN (SELECT value FROM json_each(?)) AND length(vector) = ${vector.byteLength}
    ORDER BY distance, row`);
  const find = () => {
    const rows = codes.nearest(statements, table, scope, vector, wanted);
    return { rows, near: statement.all(bytesOf(vector), JSON.stringify(rows)) as Near[] };
  };
  const { rows, near } = find();
  if (near.length >= stillThere * rows.length) return near;
  codes.forget(table, scope);
  return find().near;
}

/** The distances of the documents that were found by their words. */
function distances(
  statements: Statements,
  { name }: SearchTable,
  ids: readonly string[],
  vector: Buffer,
): readonly Near[] {
  const statement = statements.get(
    `SELECT id, vec_distance_L2(vector, ?) AS distance FROM ${name} ` +
      `WHERE id = ? AND length(vector) = ${vector.byteLength}`,
  );
  return ids.flatMap((id) => statement.all(vector, id) as Near[]);
}
