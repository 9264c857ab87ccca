import {
  AppError,
  findByPlan,
  indexLists,
  mergeIndexes,
  planFind,
  recordFrom,
  StorageWatchers,
} from "@pergola/sdk";
import type {
  BlobStore,
  Change,
  Collection,
  CollectionOptions,
  Entity,
  FindOptions,
  Log,
  SearchIndex,
  SearchOptions,
  Storage,
  Stored,
  Write,
} from "@pergola/sdk";
import { Draft, recordTable } from "./draft.ts";
import { journalBlobs } from "./blobs.ts";
import { journalSearch } from "./search.ts";
import type { Journal, Row } from "./journal.ts";

type Filter = Readonly<Record<string, unknown>>;

const unlimited = { limit: Infinity };

/** A storage whose tables are in memory and whose commits are in a journal file. */
export class JournalStorage implements Storage {
  readonly blobs: BlobStore;
  readonly #journal: Journal;
  readonly #watchers: StorageWatchers;
  readonly #indexes = new Map<string, readonly (readonly string[])[]>();

  constructor(journal: Journal, log: Log) {
    this.#journal = journal;
    this.#watchers = new StorageWatchers(log);
    this.blobs = journalBlobs(journal);
  }

  collection<T extends Entity>(name: string, options: CollectionOptions): Collection<T> {
    this.#indexes.set(name, mergeIndexes(this.#indexes.get(name) ?? [], indexLists(options)));
    const table = recordTable(name);
    const find = (filter: Filter, found?: FindOptions<Entity>): readonly Row[] =>
      this.#find(name, this.#journal.all(table), filter, found);
    const collection: Collection<Entity> = {
      get: async (id) => {
        const row = this.#journal.get(table, id);
        return row && storedOf(row);
      },
      put: async (record, condition) => void this.#commit([{ collection: name, put: record, ...condition }]),
      delete: async (id) => this.#commit([{ collection: name, delete: id }]).length > 0,
      find: async (filter, found) => find(filter, found).map(storedOf),
      count: async (filter) => find(filter, unlimited).length,
    };
    return collection as unknown as Collection<T>;
  }

  async commit(writes: readonly Write[]): Promise<void> {
    this.#commit(writes);
  }

  search(name: string, options: SearchOptions): SearchIndex {
    return journalSearch(this.#journal, name, options);
  }

  watch(collection: string, listener: (change: Change) => void): () => void {
    return this.#watchers.add(collection, listener);
  }

  async close(): Promise<void> {
    this.#journal.close();
  }

  #commit(writes: readonly Write[]): readonly Change[] {
    const draft = new Draft(this.#journal);
    for (const write of writes) this.#addTo(draft, write);
    this.#journal.append(draft.rows);
    this.#watchers.announce(draft.changes);
    return draft.changes;
  }

  #addTo(draft: Draft, write: Write): void {
    const { collection } = write;
    this.#indexesOf(collection);
    if ("put" in write) return draft.put(collection, write.put, write.ifVersion);
    if ("delete" in write) return draft.delete(collection, write.delete, write.ifVersion);
    const rows = this.#find(collection, draft.all(collection), write.deleteWhere, unlimited);
    for (const { id } of rows) draft.delete(collection, id);
  }

  #find(
    collection: string,
    rows: readonly Row[],
    filter: Filter,
    options: FindOptions<Entity> | undefined,
  ): readonly Row[] {
    const indexes = this.#indexesOf(collection);
    return findByPlan(rows, planFind({ collection, indexes, filter, options }), recordOf);
  }

  #indexesOf(collection: string): readonly (readonly string[])[] {
    const indexes = this.#indexes.get(collection);
    if (indexes !== undefined) return indexes;
    throw new AppError({ code: "internal_error", message: `Collection ${collection} was not declared.` });
  }
}

const recordOf = ({ value }: Row): Entity => value as unknown as Entity;

const storedOf = ({ value, version }: Row): Stored<Entity> => recordFrom(JSON.stringify(value), version);
