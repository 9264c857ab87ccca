import { Declaration } from "@pergola/kit-storage";
import { checkDocument, checkQuery } from "@pergola/sdk";
import type { SearchIndex, SearchOptions } from "@pergola/sdk";
import type { WorkerLink } from "./worker-link.ts";

/** A search index by the worker. Vectors are copied when they are given. */
export function sqliteSearch(link: WorkerLink, search: string, options: SearchOptions): SearchIndex {
  const declaration = new Declaration();
  const prepare = (): void => declaration.send(() => link.ask("declareSearch", { search, options }));
  prepare();
  return {
    async index(documents) {
      for (const document of documents) checkDocument(search, options, document);
      prepare();
      await link.ask("index", {
        search,
        documents: documents.map((document) => ({ ...document, vector: document.vector?.slice() })),
      });
    },
    async remove(ids) {
      prepare();
      await link.ask("unindex", { search, ids });
    },
    async removeScope(scope) {
      prepare();
      await link.ask("unindexScope", { search, scope });
    },
    async query(query) {
      checkQuery(search, options, query);
      prepare();
      return link.ask("query", { search, query: { ...query, vector: query.vector?.slice() } });
    },
  };
}
