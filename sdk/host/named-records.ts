import { AppError } from "../contract/errors.ts";
import type { Page, PageRange } from "../contract/page.ts";
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
  readonly #nameCollection: string;
  readonly #noun: string;
  readonly #records: Collection<WithKey<T>>;
  readonly #names: Collection<NameHolder>;
  readonly #queue = new KeyedQueue();

  /** `noun` is the word for such a record in messages. */
  constructor(storage: Storage, collection: string, noun: string) {
    this.#storage = storage;
    this.#collection = collection;
    this.#nameCollection = `${collection}_names`;
    this.#noun = noun;
    this.#records = storage.collection<WithKey<T>>(collection, { indexes: ["key"] });
    this.#names = storage.collection<NameHolder>(this.#nameCollection, { indexes: [] });
  }

  /** By name. */
  async list({ limit = 1_000_000, offset = 0 }: PageRange): Promise<Page<T>> {
    const [found, count] = await Promise.all([
      this.#records.find({}, { order: "key", limit, offset }),
      this.#records.count({}),
    ]);
    return { items: found.map(plain<T>), count };
  }

  async find(id: string): Promise<T | undefined> {
    const found = await this.#read(id);
    return found && plain<T>(found);
  }

  async get(id: string): Promise<T> {
    return plain<T>(await this.#readExisting(id));
  }

  /** The record of that name, in any case, with or without spaces around it. */
  async findByName(name: string): Promise<T | undefined> {
    const key = keyOf(name.normalize("NFC").trim());
    if (key.includes("\0")) return undefined;
    const owner = await this.#names.get(key);
    return owner && this.find(owner.holder);
  }

  /**
   * A record of that name, or the one that has the name already. `param` is the request's field that gives
   * the name.
   */
  async findOrCreate(
    idOrName: string,
    make: (id: string, name: string) => T,
    param = "name",
  ): Promise<{ record: T; isNew: boolean }> {
    const name = checked(idOrName, param);
    return retryConflicts(async () => {
      const known = await this.findByName(name);
      if (known !== undefined) return { record: known, isNew: false };
      const record = make(newId.uuid(), name);
      await this.#storage.commit([
        this.#reserveName(name, record.id),
        { ...this.#put(record), ifVersion: 0 },
      ]);
      return { record, isNew: true };
    });
  }

  /** Rejects with `id_taken` when another has the name. Not for work under the lock of the same record. */
  change(id: string, make: (now: T) => T): Promise<T> {
    return this.withLock(id, () =>
      retryConflicts(async () => {
        const stored = await this.#readExisting(id);
        const made = make(plain<T>(stored));
        const record = { ...made, name: checked(made.name, "name") };
        const renaming = await this.#rename(stored.key, record);
        await this.#storage.commit([...renaming, { ...this.#put(record), ifVersion: stored.version }]);
        return record;
      }),
    );
  }

  /** The writes that remove a record and free its name. */
  async removalWrites(id: string): Promise<readonly Write[]> {
    const { id: known, key } = await this.#readExisting(id);
    return [this.#freeName(key), { collection: this.#collection, delete: known }];
  }

  /** Work that must not happen beside another on the same record. */
  withLock<R>(id: string, work: () => Promise<R>): Promise<R> {
    return this.#queue.run(id.toLowerCase(), work);
  }

  async #read(id: string): Promise<Stored<WithKey<T>> | undefined> {
    if (!isUuid(id)) return undefined;
    return this.#records.get(id.toLowerCase());
  }

  async #readExisting(id: string): Promise<Stored<WithKey<T>>> {
    const found = await this.#read(id);
    if (found !== undefined) return found;
    throw new AppError({ code: "not_found", message: `There is no ${this.#noun} "${id}".` });
  }

  #put(record: T) {
    return { collection: this.#collection, put: { ...record, key: keyOf(record.name) } };
  }

  /** The writes that give a record its new name, if it has one. */
  async #rename(key: string, { id, name }: T): Promise<readonly Write[]> {
    if (keyOf(name) === key) return [];
    if ((await this.findByName(name)) === undefined)
      return [this.#freeName(key), this.#reserveName(name, id)];
    const message = `There is another ${this.#noun} "${name}".`;
    throw new AppError({ code: "id_taken", message, param: "name" });
  }

  #reserveName(name: string, holder: string): Write {
    const put: NameHolder = { id: keyOf(name), holder };
    return { collection: this.#nameCollection, put, ifVersion: 0 };
  }

  #freeName(key: string): Write {
    return { collection: this.#nameCollection, delete: key };
  }
}

function plain<T extends NamedRecord>({ key: _key, version: _version, ...record }: Stored<WithKey<T>>): T {
  return record as unknown as T;
}
