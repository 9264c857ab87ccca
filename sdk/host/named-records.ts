import { AppError } from "../contract/errors.ts";
import type { Page } from "../contract/page.ts";
import type { Collection, Entity, Storage, Stored, Write } from "../contract/storage.ts";
import { retryConflicts } from "./retry-conflicts.ts";
import { isUuid, newId } from "../util/ids.ts";
import { KeyedQueue } from "../util/keyed-queue.ts";

/** A record with a UUID and a name that no other of its collection has. */
export interface NamedRecord extends Entity {
  readonly name: string;
}

/** What is made of a name: names that differ only in case, or in spaces around them, are the same. */
type WithKey<T> = T & { readonly key: string };

/** Under its key, who has a name: it is this record that two who come at once cannot both make. */
interface NameHolder extends Entity {
  readonly holder: string;
}

const keyOf = (name: string): string => name.toLowerCase();

/** The name without spaces around it. Throws `invalid_value`. */
function checked(name: string, param: string): string {
  const trimmed = name.normalize("NFC").trim();
  if (/^\P{Cc}{1,200}$/u.test(trimmed)) return trimmed;
  throw new AppError({
    code: "invalid_value",
    message: "A name has 1 to 200 characters, none of them a control character.",
    param,
  });
}

/**
 * Records by id and by name, in a collection of a plugin. Ids count in any case; what does not exist is
 * `not_found`.
 */
export class NamedRecords<T extends NamedRecord> {
  readonly #storage: Storage;
  readonly #collection: string;
  readonly #what: string;
  readonly #records: Collection<WithKey<T>>;
  readonly #names: Collection<NameHolder>;
  readonly #turns = new KeyedQueue();

  /** `what` is the word for such a record in messages. */
  constructor(storage: Storage, collection: string, what: string) {
    this.#storage = storage;
    this.#collection = collection;
    this.#what = what;
    this.#records = storage.collection<WithKey<T>>(collection, { indexes: ["key"] });
    this.#names = storage.collection<NameHolder>(`${collection}_names`, { indexes: [] });
  }

  /** By name. */
  async list({
    limit = 1_000_000,
    offset = 0,
  }: {
    readonly limit?: number;
    readonly offset?: number;
  }): Promise<Page<T>> {
    const [found, count] = await Promise.all([
      this.#records.find({}, { order: "key", limit, offset }),
      this.#records.count({}),
    ]);
    return { items: found.map(plain<T>), count };
  }

  async find(id: string): Promise<T | undefined> {
    const found = await this.#stored(id);
    return found && plain<T>(found);
  }

  async get(id: string): Promise<T> {
    return plain<T>(await this.#known(id));
  }

  /** The record of that name, in any case, with or without spaces around it. */
  async findByName(name: string): Promise<T | undefined> {
    const key = keyOf(name.normalize("NFC").trim());
    return key.includes("\0") ? undefined : this.find((await this.#names.get(key))?.holder ?? "");
  }

  /**
   * A record of that name, or the one that has the name already. `param` is the request's field that gives
   * the name.
   */
  async create(
    wanted: string,
    make: (id: string, name: string) => T,
    param = "name",
  ): Promise<{ record: T; isNew: boolean }> {
    const name = checked(wanted, param);
    return retryConflicts(async () => {
      const known = await this.findByName(name);
      if (known !== undefined) return { record: known, isNew: false };
      const record = make(newId.uuid(), name);
      await this.#storage.commit([
        this.#holding(name, record.id),
        { ...this.#putting(record), ifVersion: 0 },
      ]);
      return { record, isNew: true };
    });
  }

  /** Rejects with `id_taken` when another has the name. Not for work of a turn of the same record. */
  change(id: string, make: (now: T) => T): Promise<T> {
    return this.withLock(id, () =>
      retryConflicts(async () => {
        const stored = await this.#known(id);
        const made = make(plain<T>(stored));
        const record = { ...made, name: checked(made.name, "name") };
        const isRenamed = keyOf(record.name) !== stored.key;
        const other = isRenamed ? await this.findByName(record.name) : undefined;
        if (other !== undefined) throw this.#taken(record.name);
        const renamed = isRenamed ? [this.#freeing(stored.key), this.#holding(record.name, record.id)] : [];
        await this.#storage.commit([...renamed, { ...this.#putting(record), ifVersion: stored.version }]);
        return record;
      }),
    );
  }

  /** The writes that remove a record and free its name. */
  async removalWrites(id: string): Promise<readonly Write[]> {
    const { id: known, key } = await this.#known(id);
    return [this.#freeing(key), { collection: this.#collection, delete: known }];
  }

  /** Work that must not happen beside another on the same record. */
  withLock<R>(id: string, work: () => Promise<R>): Promise<R> {
    return this.#turns.run(id.toLowerCase(), work);
  }

  async #stored(id: string): Promise<Stored<WithKey<T>> | undefined> {
    return isUuid(id) ? this.#records.get(id.toLowerCase()) : undefined;
  }

  async #known(id: string): Promise<Stored<WithKey<T>>> {
    const found = await this.#stored(id);
    if (found === undefined)
      throw new AppError({ code: "not_found", message: `There is no ${this.#what} "${id}".` });
    return found;
  }

  #putting(record: T) {
    return { collection: this.#collection, put: { ...record, key: keyOf(record.name) } };
  }

  #holding(name: string, holder: string): Write {
    return {
      collection: `${this.#collection}_names`,
      put: { id: keyOf(name), holder } as NameHolder,
      ifVersion: 0,
    };
  }

  #freeing(key: string): Write {
    return { collection: `${this.#collection}_names`, delete: key };
  }

  #taken(name: string): AppError {
    return new AppError({
      code: "id_taken",
      message: `There is another ${this.#what} "${name}".`,
      param: "name",
    });
  }
}

function plain<T extends NamedRecord>({ key: _key, version: _version, ...record }: Stored<WithKey<T>>): T {
  return record as unknown as T;
}
