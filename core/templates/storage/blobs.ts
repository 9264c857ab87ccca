import { checkStorageId, type BlobStore } from "@pergola/sdk";
import type { Journal } from "./journal.ts";

const table = "blobs";

/** Blobs as a table of the journal, in base64. */
export function journalBlobs(journal: Journal): BlobStore {
  return {
    async put(id, bytes) {
      const value = Buffer.from(bytes).toString("base64");
      journal.append([{ table, id: checkStorageId(id), version: 1, value }]);
    },
    async get(id, { start, end } = { start: 0, end: Infinity }) {
      const row = journal.get(table, id);
      if (row === undefined) return undefined;
      const bytes = new Uint8Array(Buffer.from(row.value as string, "base64"));
      return bytes.slice(Math.max(0, start), Math.max(0, end));
    },
    async delete(id) {
      const row = journal.get(table, id);
      if (row !== undefined) journal.append([{ ...row, value: null }]);
      return row !== undefined;
    },
  };
}
