import { floatsOf } from "@pergola/kit-storage";
import { AppError, defined, type SearchDocument, type SearchOptions, type Storage } from "@pergola/sdk";
import type { Database } from "./database.ts";
import { cutKey, idOfKey } from "./index-key.ts";

export type StorageContents = NonNullable<Storage["contents"]>;

/** Documents and ids of blobs that are read at a time. */
const [documentsAtOnce, blobsAtOnce] = [200, 1000];

const floatBytes = Float32Array.BYTES_PER_ELEMENT;

interface Named {
  readonly number: number;
  readonly name: string;
}

interface DocumentRow {
  readonly row: string;
  readonly id: string;
  readonly scope: Buffer;
  readonly texts: string;
  readonly vector: Buffer | null;
}

/** What the schema has. */
export const postgresContents = (database: Database): StorageContents => ({
  async list() {
    const collections = await database.readPlanned<{
      readonly name: string;
      readonly indexes: readonly (readonly string[])[];
    }>("SELECT name, indexes FROM collections ORDER BY number", []);
    const searches: { readonly name: string; readonly options: SearchOptions }[] = [];
    for (const { number, name } of await searchesOf(database))
      searches.push({ name, options: await optionsOf(database, number) });
    return { collections, searches };
  },

  async documents(search, after) {
    const number = (await searchesOf(database)).find(({ name }) => name === search)?.number;
    if (number === undefined) return { items: [], next: undefined };
    const rows = await rowsAfter(database, number, after);
    return {
      items: rows.map((row) => documentOf(row, search)),
      next: rows.length < documentsAtOnce ? undefined : rows.at(-1)!.row,
    };
  },

  async blobs(after = "") {
    const rows = await database.readPlanned<{ readonly key: Buffer }>(
      `SELECT key FROM blobs WHERE key > $1 ORDER BY key LIMIT ${blobsAtOnce}`,
      [Buffer.from(after, "hex")],
    );
    return {
      items: rows.map(({ key }) => wholeId(key, "a blob")),
      next: rows.length < blobsAtOnce ? undefined : rows.at(-1)!.key.toString("hex"),
    };
  },
});

const searchesOf = (database: Database): Promise<readonly Named[]> =>
  database.readPlanned<Named>("SELECT number, name FROM searches ORDER BY number", []);

const rowsAfter = (database: Database, number: number, after = "0"): Promise<readonly DocumentRow[]> =>
  database.readPlanned<DocumentRow>(
    `SELECT row, id, scope, texts, vector FROM search_${number} WHERE row > $1 ORDER BY row ` +
      `LIMIT ${documentsAtOnce}`,
    [after],
  );

const fieldsOf = ({ texts }: DocumentRow): Readonly<Record<string, string>> =>
  JSON.parse(texts) as Record<string, string>;

/** Weights stand in no table; fields are those that the documents have. */
async function optionsOf(database: Database, number: number): Promise<SearchOptions> {
  const fields = new Set<string>();
  let bytes = 0;
  for (let rows = await rowsAfter(database, number); rows.length > 0;) {
    for (const row of rows) for (const field of Object.keys(fieldsOf(row))) fields.add(field);
    bytes = Math.max(bytes, ...rows.map(({ vector }) => vector?.length ?? 0));
    rows = await rowsAfter(database, number, rows.at(-1)!.row);
  }
  const weights = Object.fromEntries([...fields].map((field) => [field, 1]));
  return { fields: weights, dimensions: bytes / floatBytes };
}

function documentOf(row: DocumentRow, search: string): SearchDocument {
  const { id, scope, vector } = row;
  return defined({
    id,
    scope: wholeId(scope, `a scope of the search ${search}`),
    fields: fieldsOf(row),
    vector: vector === null ? undefined : floatsOf(vector).slice(),
  });
}

/** Of a long id the key has the beginning only. */
function wholeId(key: Buffer, what: string): string {
  if (key.length < cutKey) return idOfKey(key);
  const message = `The id of ${what} has more than 448 bytes, of which PostgreSQL keeps the beginning only.`;
  throw new AppError({ code: "internal_error", message });
}
