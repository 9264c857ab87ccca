import { AppError } from "@pergola/sdk";
import type { Answer, Ask, OperationName } from "../messages.ts";
import { deleteBlob, getBlob, putBlob } from "./blobs.ts";
import type { Connection } from "./connection.ts";
import { listContents, readBlobIds, readDocuments } from "./contents.ts";
import { indexDocument, mergeWords, removeDocument, removeScope } from "./search-documents.ts";
import { querySearch } from "./search-query.ts";
import type { SearchTable } from "./search-table.ts";
import { declareTexts, findTexts, indexTexts, removeTextScope } from "./texts.ts";

interface Operation<N extends OperationName> {
  /** Writes run in a transaction, and are answered after it. */
  readonly writes: boolean;
  readonly run: Run<N>;
}

type Run<N extends OperationName> = (connection: Connection, ask: Ask<N>) => Answer<N>;

const read = <N extends OperationName>(run: Run<N>): Operation<N> => ({ writes: false, run });
const write = <N extends OperationName>(run: Run<N>): Operation<N> => ({ writes: true, run });

function searchOf({ searches }: Connection, search: string): SearchTable {
  const table = searches.get(search);
  if (table !== undefined) return table;
  throw new AppError({
    code: "storage_unavailable",
    message: `The search ${search} could not be prepared.`,
  });
}

/** What the worker can do. */
export const operations: { readonly [N in OperationName]: Operation<N> } = {
  declare: write(({ catalog }, { collection, indexes }) => catalog.declare(collection, indexes)),
  get: read(({ records }, { collection, id }) => records.get(collection, id)),
  find: read(({ records }, { collection, plan }) => records.find(collection, plan)),
  count: read(({ records }, { collection, plan }) => records.count(collection, plan)),
  commit: write(({ records }, { writes }) => writes.flatMap((one) => records.write(one))),
  declareSearch: write(({ searches }, { search, options }) => searches.declare(search, options)),
  index: write((connection, { search, documents }) => {
    const table = searchOf(connection, search);
    for (const document of documents) indexDocument(connection.statements, table, document);
    mergeWords(connection.statements, table);
  }),
  unindex: write((connection, { search, ids }) => {
    for (const id of ids) removeDocument(connection.statements, searchOf(connection, search), id);
  }),
  unindexScope: write((connection, { search, scope }) =>
    removeScope(connection.statements, searchOf(connection, search), scope),
  ),
  query: read((connection, { search, query }) =>
    querySearch(connection, searchOf(connection, search), query),
  ),
  declareTexts: write(({ database }, { name }) => declareTexts(database, name)),
  indexTexts: write(({ statements }, { name, texts }) => indexTexts(statements, name, texts)),
  removeTextScope: write(({ statements }, { name, scope }) => removeTextScope(statements, name, scope)),
  findTexts: read(({ statements }, { name, query }) => findTexts(statements, name, query)),
  putBlob: write(({ statements }, { id, bytes }) => putBlob(statements, id, bytes)),
  getBlob: read(({ statements }, { id, start, end }) => getBlob(statements, id, start, end)),
  deleteBlob: write(({ statements }, { id }) => deleteBlob(statements, id)),
  listContents: read(({ database }) => listContents(database)),
  documents: read(({ statements }, { search, after }) => readDocuments(statements, search, after)),
  blobIds: read(({ statements }, { after }) => readBlobIds(statements, after)),
};
