import { AppError, indexLists, StorageWatchers } from "@pergola/sdk";
import type {
  BlobStore,
  Change,
  Collection,
  CollectionOptions,
  Entity,
  Log,
  SearchIndex,
  SearchOptions,
  Storage,
  Write,
} from "@pergola/sdk";
import { memoryBlobs } from "./memory-blobs.ts";
import { memorySearch } from "./memory-search.ts";
import { Records, type Written } from "./records.ts";

/**
 * The storage contract in its plainest form: maps, scans, and steps that can be undone. Everything is gone
 * when the process ends. Each method does its work in one turn of the event loop, which is what makes a
 * commit atomic.
 */
export class MemoryStorage implements Storage {
  readonly #watchers: StorageWatchers;
  readonly #collections = new Map<string, Records>();
  readonly #searches = new Map<string, SearchIndex>();
  readonly blobs: BlobStore = memoryBlobs(() => this.#check());
  #closed = false;

  constructor(log: Log) {
    this.#watchers = new StorageWatchers(log);
  }

  collection<T extends Entity>(name: string, options: CollectionOptions): Collection<T> {
    const records = this.#collections.get(name) ?? new Records(name);
    this.#collections.set(name, records);
    records.declare(indexLists(options));
    const collection: Collection<Entity> = {
      get: async (id) => (this.#check(), records.get(id)),
      put: async (record, condition) => void this.#commit([{ collection: name, put: record, ...condition }]),
      delete: async (id) => this.#commit([{ collection: name, delete: id }]).length > 0,
      find: async (filter, found) => (this.#check(), records.find(filter, found)),
      count: async (filter) => (this.#check(), records.count(filter)),
    };
    return collection as unknown as Collection<T>;
  }

  async commit(writes: readonly Write[]): Promise<void> {
    this.#commit(writes);
  }

  #commit(writes: readonly Write[]): readonly Change[] {
    this.#check();
    const done: Written[] = [];
    try {
      for (const write of writes)
        for (const one of this.#recordsOf(write.collection).write(write)) done.push(one);
    } catch (error) {
      for (const { undo } of done.toReversed()) undo();
      throw error;
    }
    const changes = done.map(({ change }) => change);
    this.#watchers.announce(changes);
    return changes;
  }

  #recordsOf(collection: string): Records {
    const records = this.#collections.get(collection);
    if (records !== undefined) return records;
    throw new AppError({ code: "internal_error", message: `Collection ${collection} was not declared.` });
  }

  search(name: string, options: SearchOptions): SearchIndex {
    const search = this.#searches.get(name) ?? memorySearch(name, options, () => this.#check());
    this.#searches.set(name, search);
    return search;
  }

  watch(collection: string, listener: (change: Change) => void): () => void {
    return this.#watchers.add(collection, listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #check(): void {
    if (this.#closed) throw new AppError({ code: "storage_unavailable", message: "The storage is closed." });
  }
}
