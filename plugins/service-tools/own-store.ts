import type { Collection, Entity, SearchIndex, ToolContext, Write } from "@pergola/sdk";
import { retryConflicts, type Fence, type Parts, type RegisteredTool } from "@pergola/sdk/host";

/**
 * Records and indexes of a plugin's own carry its id before their name. With the fence of a run its records
 * change no more once another host has the run: it rejects with `conflict` then.
 */
export function ownStore(
  { stores }: Pick<Parts, "stores">,
  { plugin }: Pick<RegisteredTool, "plugin">,
  fence: Fence | undefined,
): Pick<ToolContext, "collection" | "search" | "blobs"> {
  const { storage } = stores;
  const own = (name: string): string => `${plugin.id}/${name}`;
  return {
    collection: <T extends Entity>(name: string): Collection<T> => {
      const records = storage.collection<T>(own(name), plugin.collections[name] ?? { indexes: [] });
      if (fence === undefined) return records;
      return fenced(records, own(name), (write) => stores.commit([write], { fence }));
    },
    search: (name): SearchIndex => storage.search(own(name), { fields: { text: 1 }, dimensions: 384 }),
    blobs: {
      put: (name, bytes) => storage.blobs.put(own(name), bytes),
      get: (name, range) => storage.blobs.get(own(name), range),
      delete: (name) => storage.blobs.delete(own(name)),
    },
  };
}

const fenced = <T extends Entity>(
  records: Collection<T>,
  collection: string,
  commit: (write: Write) => Promise<void>,
): Collection<T> => ({
  get: (id) => records.get(id),
  find: (...given) => records.find(...given),
  count: (filter) => records.count(filter),
  put: (record, condition) => commit({ collection, put: record, ...condition }),
  delete: (id) =>
    retryConflicts(async () => {
      const found = await records.get(id);
      if (found !== undefined) await commit({ collection, delete: id, ifVersion: found.version });
      return found !== undefined;
    }),
});
