import { checkStorageId } from "@pergola/sdk";
import type { BlobStore } from "@pergola/sdk";

/** Blobs in a map; what goes in and what comes out is copied. `check` throws when the storage is closed. */
export function memoryBlobs(check: () => void): BlobStore {
  const blobs = new Map<string, Uint8Array>();
  return {
    async put(id, bytes) {
      check();
      blobs.set(checkStorageId(id), new Uint8Array(bytes));
    },
    async get(id, { start, end } = { start: 0, end: Infinity }) {
      check();
      const bytes = blobs.get(id);
      return bytes?.slice(Math.max(0, start), Math.max(0, end));
    },
    async delete(id) {
      check();
      return blobs.delete(id);
    },
  };
}
