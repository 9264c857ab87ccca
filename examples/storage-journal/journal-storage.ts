import { AppError, indexLists, mergeIndexes, planFind, recordFrom } from "@pergola/sdk";
import type {
  BlobStore,
  Change,
  Collection,
  CollectionOptions,
  Entity,
  FindOptions,
  FindPlan,
  Log,
  SearchIndex,
  SearchOptions,
  Storage,
  Stored,
  Write,
} from "@pergola/sdk";
import { Draft } from "./draft.ts";
import { findRows, matchingRows } from "./find-rows.ts";
import { journalBlobs } from "./journal-blobs.ts";
import { journalSearch } from "./journal-search.ts";
import type { Journal, Row } from "./journal.ts";

type Filter = Readonly<Record<string, unknown>>;
type Listener = (change: Change) => void;

/** A storage whose tables are in memory and whose commits are in a journal file. */
export class JournalStorage implements Storage {
  readonly blobs: BlobStore;
  readonly #journal: Journal;
  readonly #log: Log;
  readonly #indexes = new Map<string, readonly (readonly string[])[]>();
  #listeners: readonly { readonly collection: string; readonly listener: Listener }[] = [];

  constructor(journal: Journal, log: Log) {
    this.#journal = journal;
    this.#log = log;
    this.blobs = journalBlobs(journal);
  }

  collection<T extends Entity>(name: string, options: CollectionOptions): Collection<T> {
    this.#indexes.set(name, mergeIndexes(this.#indexes.get(name) ?? [], indexLists(options)));
    const table = tableOf(name);
    const collection: Collection<Entity> = {
      get: async (id) => {
        const row = this.#journal.get(table, id);
        return row && recordOf(row);
      },
      put: async (record, condition) => void this.#commit([{ collection: name, put: record, ...condition }]),
      delete: async (id) => this.#commit([{ collection: name, delete: id }]).length > 0,
      find: async (filter, found) =>
        findRows(this.#journal.all(table), this.#plan(name, filter, found)).map(recordOf),
      count: async (filter) => matchingRows(this.#journal.all(table), this.#plan(name, filter)).length,
    };
    return collection as unknown as Collection<T>;
  }

  async commit(writes: readonly Write[]): Promise<void> {
    this.#commit(writes);
  }

  search(name: string, options: SearchOptions): SearchIndex {
    return journalSearch(this.#journal, name, options);
  }

  watch(collection: string, listener: Listener): () => void {
    const own = { collection, listener };
    this.#listeners = [...this.#listeners, own];
    return () => void (this.#listeners = this.#listeners.filter((other) => other !== own));
  }

  async close(): Promise<void> {
    this.#journal.close();
  }

  #commit(writes: readonly Write[]): readonly Row[] {
    const draft = new Draft(this.#journal);
    for (const write of writes) {
      const { collection } = write;
      const plan = this.#plan(collection, "deleteWhere" in write ? write.deleteWhere : {});
      const table = tableOf(collection);
      if (!("deleteWhere" in write)) draft.write({ ...write, collection: table });
      else for (const { id } of matchingRows(draft.all(table), plan)) draft.delete(table, id);
    }
    this.#journal.append(draft.rows);
    for (const { table, id, value } of draft.rows)
      this.#announce({ collection: table.slice(tableOf("").length), id, deleted: value === null });
    return draft.rows;
  }

  #plan(collection: string, filter: Filter, options?: FindOptions<Entity>): FindPlan {
    const indexes = this.#indexes.get(collection);
    if (indexes === undefined)
      throw new AppError({ code: "internal_error", message: `Collection ${collection} was not declared.` });
    return planFind({ collection, indexes, filter, options });
  }

  /** A listener that throws stops neither the commit nor the other listeners. */
  #announce(change: Change): void {
    for (const { collection, listener } of this.#listeners) {
      if (collection !== change.collection) continue;
      try {
        listener(change);
      } catch (error) {
        this.#log.error({ error, collection }, "a watcher of the storage failed");
      }
    }
  }
}

const tableOf = (collection: string): string => `records/${collection}`;

const recordOf = ({ value, version }: Row): Stored<Entity> => recordFrom(JSON.stringify(value), version);
