import { definePlugin, defineStorage, type Collection, type Entity, type Storage } from "@pergola/sdk";
import { openSqlite } from "../../../../plugins/storage-sqlite/open-sqlite.ts";
import { reads } from "./reads.ts";

function counted<T extends Entity>(name: string, collection: Collection<T>): Collection<T> {
  const count = (records: number): void => void reads.push({ collection: name, records });
  return {
    ...collection,
    get: async (id) => {
      count(1);
      return collection.get(id);
    },
    find: async (filter, options) => {
      const found = await collection.find(filter, options);
      count(found.length);
      return found;
    },
  };
}

const counting = defineStorage({
  type: "counting",
  open: async (_, door): Promise<Storage> => {
    const storage = await openSqlite({ durability: "process" }, door);
    return {
      collection: (name, options) => counted(name, storage.collection(name, options)),
      commit: async (writes) => storage.commit(writes),
      search: (name, options) => storage.search(name, options),
      blobs: storage.blobs,
      watch: (name, listener) => storage.watch(name, listener),
      close: async () => storage.close(),
    };
  },
});

export default definePlugin({ storages: [counting] });
