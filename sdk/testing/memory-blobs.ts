import type { BlobStore } from "@pergola/sdk";

/** Blobs in memory, for tests of operations. */
export function memoryBlobs(): BlobStore {
  const blobs = new Map<string, Uint8Array>();
  return {
    put: async (id, bytes) => void blobs.set(id, bytes.slice()),
    get: async (id, range) => blobs.get(id)?.slice(range?.start, range?.end),
    delete: async (id) => blobs.delete(id),
  };
}
