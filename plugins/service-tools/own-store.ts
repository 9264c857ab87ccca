import type { Collection, Entity, SearchIndex, ToolContext } from "@pergola/sdk";
import { fencedCollection, type Fence, type Parts, type RegisteredTool } from "@pergola/sdk/host";

/**
 * Records, indexes and bytes of a plugin's own carry its id before their name. With the fence of a run they
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
      const { indexes } = plugin.collections[name] ?? { indexes: [] };
      return fencedCollection(stores, { name: own(name), indexes }, fence);
    },
    search: (name): SearchIndex => {
      const index = storage.search(own(name), { fields: { text: 1 }, dimensions: 384 });
      return {
        index: (documents) => index.index(documents, { fence }),
        remove: (ids) => index.remove(ids, { fence }),
        removeScope: (scope) => index.removeScope(scope, { fence }),
        query: (query) => index.query(query),
      };
    },
    blobs: {
      put: (name, bytes) => storage.blobs.put(own(name), bytes, { fence }),
      get: (name, range) => storage.blobs.get(own(name), range),
      delete: (name) => storage.blobs.delete(own(name), { fence }),
    },
  };
}
