import { idToFind } from "@pergola/kit-storage";
import { checkStorageId, type BlobStore } from "@pergola/sdk";
import { indexKey } from "./index-key.ts";
import { fencedBy } from "./postgres-hosts.ts";
import type { RecordsHost } from "./postgres-records.ts";
import type { Transaction } from "./transaction.ts";

/** Bytes in a chunk: a range is read without what lies far from it. */
const chunkSize = 256 * 1024;

interface Size {
  readonly size: string;
}

interface Chunk {
  readonly bytes: Buffer;
}

/** Blobs in chunks. Bytes are copied when they are given. */
export function postgresBlobs({ database, queue }: RecordsHost): BlobStore {
  const place = (id: string): readonly string[] => [`blobs/${id}`];
  return {
    async put(id, bytes, { fence } = {}) {
      const key = indexKey(checkStorageId(id));
      const copy = Buffer.from(bytes);
      await queue.ask(
        place(id),
        fencedBy(fence, async (transaction) => putBlob(transaction, key, copy)),
      );
    },
    async get(id, range = { start: 0, end: Infinity }) {
      database.check();
      await queue.written(place(id)[0]!);
      const key = indexKey(idToFind(id));
      const [found] = await database.read<Size>("SELECT size FROM blobs WHERE key = $1", [key]);
      if (found === undefined) return undefined;
      const start = Math.max(0, range.start);
      const end = Math.min(range.end, Number(found.size));
      if (start >= end) return new Uint8Array();
      const first = Math.floor(start / chunkSize);
      const chunks = await database.read<Chunk>(
        "SELECT bytes FROM blob_chunks WHERE key = $1 AND chunk >= $2 AND chunk <= $3 ORDER BY chunk",
        [key, first, Math.floor((end - 1) / chunkSize)],
      );
      const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes));
      return new Uint8Array(bytes.subarray(start - first * chunkSize, end - first * chunkSize));
    },
    delete: async (id, { fence } = {}) => {
      const key = indexKey(idToFind(id));
      return queue.ask(
        place(id),
        fencedBy(fence, async (transaction) => deleteBlob(transaction, key)),
      );
    },
  };
}

const deleteBlob = async (transaction: Transaction, key: Buffer): Promise<boolean> =>
  (await transaction.count("DELETE FROM blobs WHERE key = $1", [key])) === 1;

async function putBlob(transaction: Transaction, key: Buffer, bytes: Buffer): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, chunk) => chunk);
  await Promise.all([
    deleteBlob(transaction, key),
    transaction.count("INSERT INTO blobs (key, size) VALUES ($1, $2)", [key, bytes.length]),
    ...chunks.map((chunk) =>
      transaction.count("INSERT INTO blob_chunks (key, chunk, bytes) VALUES ($1, $2, $3)", [
        key,
        chunk,
        bytes.subarray(chunk * chunkSize, (chunk + 1) * chunkSize),
      ]),
    ),
  ]);
}
