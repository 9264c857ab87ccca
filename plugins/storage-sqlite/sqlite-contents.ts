import type { StorageContents } from "./messages.ts";
import type { WorkerLink } from "./worker-link.ts";

/** What the file has, by the worker. */
export const sqliteContents = (link: WorkerLink): StorageContents => ({
  list: async () => link.ask("listContents", {}),
  documents: async (search, after) => link.ask("documents", { search, after }),
  blobs: async (after) => link.ask("blobIds", { after }),
});
