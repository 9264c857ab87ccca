import { candidatesFor, fuseRanks } from "@pergola/sdk";
import type { SearchHit, SearchQuery } from "@pergola/sdk";
import type { SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";
import { wordHits } from "./word-hits.ts";

interface Near {
  readonly id: string;
  readonly distance: number;
}

/** Cosine from the Euclidean distance of vectors of unit length. */
const cosine = (distance: number): number => 1 - distance ** 2 / 2;

/** Words by bm25 and vectors by distance, merged. */
export function querySearch(statements: Statements, table: SearchTable, query: SearchQuery): readonly SearchHit[] {
  const { vector, limit } = query;
  const hits = wordHits(statements, table, query);
  const [words, textScores] = [hits.map(({ id }) => id), new Map(hits.map(({ id, score }) => [id, score]))];
  if (vector === undefined) return fuseRanks({ words, textScores, vectors: [], similarities: new Map(), limit });
  const bytes = Buffer.from(vector.buffer as ArrayBuffer, vector.byteOffset, vector.byteLength);
  const near = nearest(statements, table, query, bytes);
  const others = distances(statements, table, words, bytes);
  const similarities = new Map([...others, ...near].map(({ id, distance }) => [id, cosine(distance)]));
  return fuseRanks({ words, textScores, vectors: near.map(({ id }) => id), similarities, limit });
}

function nearest(statements: Statements, { name }: SearchTable, { scopes, limit }: SearchQuery, vector: Buffer): readonly Near[] {
  const statement = statements.get(`
    SELECT id, vec_distance_L2(vector, ?) AS distance FROM ${name}
    WHERE scope IN (${scopes.map(() => "?").join(", ")}) AND length(vector) = ${vector.byteLength} ORDER BY distance, row LIMIT ?`);
  return statement.all(vector, ...scopes, candidatesFor(limit)) as Near[];
}

/** The distances of the documents that were found by their words. */
function distances(statements: Statements, { name }: SearchTable, ids: readonly string[], vector: Buffer): readonly Near[] {
  const statement = statements.get(
    `SELECT id, vec_distance_L2(vector, ?) AS distance FROM ${name} WHERE id = ? AND length(vector) = ${vector.byteLength}`,
  );
  return ids.flatMap((id) => statement.all(vector, id) as Near[]);
}
