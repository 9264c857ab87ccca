import type { Database } from "better-sqlite3";
import { floatsOf } from "@pergola/kit-storage";
import { defined, type SearchDocument } from "@pergola/sdk";
import type { Contents, Page } from "../messages.ts";
import type { Statements } from "./statements.ts";

/** Documents and ids of blobs that are read at a time. */
const [documentsAtOnce, blobsAtOnce] = [200, 1000];

interface Named {
  readonly number: number;
  readonly name: string;
}

interface DocumentRow {
  readonly row: number;
  readonly id: string;
  readonly scope: string;
  readonly texts: string;
  readonly vector: Buffer | null;
}

const floatBytes = Float32Array.BYTES_PER_ELEMENT;

/** What the file has, by name. */
export function listContents(database: Database): Contents {
  const collections = database
    .prepare<[], { readonly name: string; readonly indexes: string }>("SELECT name, indexes FROM collections")
    .all();
  const searches = database
    .prepare<[], Named & { readonly weights: string }>("SELECT number, name, weights FROM searches")
    .all();
  return {
    collections: collections.map(({ name, indexes }) => ({
      name,
      indexes: JSON.parse(indexes) as string[][],
    })),
    searches: searches.map(({ number, name, weights }) => ({
      name,
      options: {
        fields: JSON.parse(weights) as Record<string, number>,
        dimensions: dimensionsOf(database, number),
      },
    })),
  };
}

function dimensionsOf(database: Database, number: number): number {
  const longest = database.prepare(`SELECT max(length(vector)) FROM search_${number}`).pluck().get();
  return ((longest as number | null) ?? 0) / floatBytes;
}

/** The documents of a search whose rows come after one. */
export function readDocuments(statements: Statements, search: string, after = "0"): Page<SearchDocument> {
  const number = statements.get("SELECT number FROM searches WHERE name = ?").pluck().get(search);
  if (number === undefined) return { items: [], next: undefined };
  const rows = statements
    .get(
      `SELECT row, id, scope, texts, vector FROM search_${number as number} WHERE row > ? ` +
        `ORDER BY row LIMIT ${documentsAtOnce}`,
    )
    .all(Number(after)) as DocumentRow[];
  const items = rows.map(({ id, scope, texts, vector }) =>
    defined({
      id,
      scope,
      fields: JSON.parse(texts) as Record<string, string>,
      vector: vector === null ? undefined : floatsOf(vector).slice(),
    }),
  );
  return { items, next: nextOf(rows, documentsAtOnce) };
}

/** The ids of blobs whose rows come after one. */
export function readBlobIds(statements: Statements, after = "0"): Page<string> {
  const rows = statements
    .get(`SELECT row, id FROM blobs WHERE row > ? ORDER BY row LIMIT ${blobsAtOnce}`)
    .all(Number(after)) as Pick<DocumentRow, "row" | "id">[];
  return { items: rows.map(({ id }) => id), next: nextOf(rows, blobsAtOnce) };
}

const nextOf = (rows: readonly { readonly row: number }[], limit: number): string | undefined =>
  rows.length < limit ? undefined : String(rows.at(-1)!.row);
