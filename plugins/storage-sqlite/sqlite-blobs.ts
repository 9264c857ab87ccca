import { idToFind } from "@pergola/kit-storage";
import { checkStorageId } from "@pergola/sdk";
import type { BlobStore } from "@pergola/sdk";
import type { WorkerLink } from "./worker-link.ts";

/** Beyond the size of any blob. */
const end = 2 ** 31;

const clamp = (position: number): number => Math.min(Math.max(0, position), end);

/** Blobs by the worker. Bytes are copied when they are given, and move to the worker after that. */
export function sqliteBlobs(link: WorkerLink): BlobStore {
  return {
    async put(id, bytes) {
      const copy = new Uint8Array(bytes);
      await link.ask("putBlob", { id: checkStorageId(id), bytes: copy }, [copy.buffer]);
    },
    async get(id, range = { start: 0, end }) {
      return link.ask("getBlob", {
        id: idToFind(id),
        start: clamp(range.start),
        end: clamp(range.end),
      });
    },
    delete: async (id) => link.ask("deleteBlob", { id: idToFind(id) }),
  };
}
