import { Declaration } from "@pergola/kit-storage";
import { checkStorageId } from "@pergola/sdk";
import type { TextIndex } from "./messages.ts";
import type { WorkerLink } from "./worker-link.ts";

/** A text index by the worker. */
export function sqliteTexts(link: WorkerLink, name: string): TextIndex {
  const declaration = new Declaration();
  const prepare = (): void => declaration.send(() => link.ask("declareTexts", { name }));
  prepare();
  return {
    async index(texts) {
      for (const { id } of texts) checkStorageId(id);
      prepare();
      await link.ask("indexTexts", { name, texts });
    },
    async removeScope(scope) {
      prepare();
      await link.ask("removeTextScope", { name, scope });
    },
    async find(query) {
      prepare();
      return link.ask("findTexts", { name, query });
    },
  };
}
