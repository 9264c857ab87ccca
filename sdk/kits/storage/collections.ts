import {
  AppError,
  indexLists,
  type Change,
  type Collection,
  type CollectionOptions,
  type Entity,
  type Write,
} from "@pergola/sdk";

/** The records of one collection, as a storage reads them. */
interface Records extends Pick<Collection<Entity>, "get" | "find" | "count"> {
  /** Says which indexes there are; may come several times. */
  declare(indexes: readonly (readonly string[])[]): void;
}

/** The collections that a storage was asked for. What they write goes through its commit. */
export class Collections<R extends Records> {
  readonly #records = new Map<string, R>();
  readonly #make: (name: string) => R;
  readonly #commit: (writes: readonly Write[]) => Promise<readonly Change[]>;

  constructor(make: (name: string) => R, commit: (writes: readonly Write[]) => Promise<readonly Change[]>) {
    this.#make = make;
    this.#commit = commit;
  }

  /** Declares a collection, and gives it as plugins have it. */
  open<T extends Entity>(collection: string, options: CollectionOptions): Collection<T> {
    const records = this.#records.get(collection) ?? this.#make(collection);
    this.#records.set(collection, records);
    records.declare(indexLists(options));
    const opened: Collection<Entity> = {
      get: (id) => records.get(id),
      put: async (put, condition) => void (await this.#commit([{ collection, put, ...condition }])),
      delete: async (id) => (await this.#commit([{ collection, delete: id }])).length > 0,
      find: (filter, found) => records.find(filter, found),
      count: (filter) => records.count(filter),
    };
    return opened as unknown as Collection<T>;
  }

  /** Throws AppError `internal_error` for a collection that was never declared. */
  recordsOf(collection: string): R {
    const records = this.#records.get(collection);
    if (records !== undefined) return records;
    throw new AppError({ code: "internal_error", message: `Collection ${collection} was not declared.` });
  }
}
