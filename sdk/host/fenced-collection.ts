import type { Collection, CollectionOptions, Entity, Fence, Write } from "../contract/storage.ts";
import type { Stores } from "./records.ts";
import { retryConflicts } from "./retry-conflicts.ts";

/**
 * A collection that changes no more once another host has the name of the fence: writes reject with
 * `conflict` then. Without a fence, the storage's own.
 */
export function fencedCollection<T extends Entity>(
  { storage, commit }: Pick<Stores, "storage" | "commit">,
  { name, indexes }: CollectionOptions & { readonly name: string },
  fence: Fence | undefined,
): Collection<T> {
  const records = storage.collection<T>(name, { indexes });
  if (fence === undefined) return records;
  const write = (one: Write): Promise<void> => commit([one], { fence });
  return {
    get: (id) => records.get(id),
    find: (...given) => records.find(...given),
    count: (filter) => records.count(filter),
    put: (record, condition) => write({ collection: name, put: record, ...condition }),
    delete: (id) =>
      retryConflicts(async () => {
        const found = await records.get(id);
        if (found !== undefined) await write({ collection: name, delete: id, ifVersion: found.version });
        return found !== undefined;
      }),
  };
}
