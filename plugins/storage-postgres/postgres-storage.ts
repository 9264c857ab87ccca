import { Collections } from "@pergola/kit-storage";
import type {
  BlobStore,
  Change,
  Collection,
  CollectionOptions,
  Entity,
  SearchIndex,
  SearchOptions,
  Storage,
  StorageWatchers,
  Write,
} from "@pergola/sdk";
import { postgresBlobs } from "./postgres-blobs.ts";
import { postgresContents, type StorageContents } from "./postgres-contents.ts";
import { fencedBy, type Fence, type PostgresHosts, type WriteOptions } from "./postgres-hosts.ts";
import { PostgresRecords, type RecordsHost } from "./postgres-records.ts";
import { postgresSearch } from "./search/postgres-search.ts";
import { postgresTexts, type TextIndex } from "./postgres-texts.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

interface Parts extends RecordsHost {
  readonly session: Session;
  readonly watchers: StorageWatchers;
  readonly hosts: PostgresHosts;
  /** Gives the data directory free. */
  readonly unlock: () => void;
}

/** The storage contract over a schema of a PostgreSQL database. */
export class PostgresStorage implements Storage {
  readonly #parts: Parts;
  readonly #collections: Collections<PostgresRecords>;
  readonly #searches = new Map<string, SearchIndex>();
  readonly #texts = new Map<string, TextIndex>();
  #closed: Promise<void> | undefined;
  readonly blobs: BlobStore;
  readonly hosts: PostgresHosts;
  readonly contents: StorageContents;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#collections = new Collections(
      (name) => new PostgresRecords(name, parts),
      (writes) => this.#commit(writes),
    );
    this.hosts = parts.hosts;
    this.blobs = postgresBlobs(parts);
    this.contents = postgresContents(parts.database);
  }

  collection<T extends Entity>(name: string, options: CollectionOptions): Collection<T> {
    return this.#collections.open(name, options);
  }

  async commit(writes: readonly Write[], { fence }: WriteOptions = {}): Promise<void> {
    await this.#commit(writes, fence);
  }

  async #commit(writes: readonly Write[], fence?: Fence): Promise<readonly Change[]> {
    const { database, queue } = this.#parts;
    database.check();
    if (writes.length === 0) return [];
    const records = writes.map(({ collection }) => this.#collections.recordsOf(collection));
    const plain = writes.map((write, at) => records[at]!.plain(write));
    const places = [...new Set(records.map(({ place }) => place))];
    const write = async (transaction: Transaction): Promise<readonly Change[]> => {
      const changes = (await Promise.all(plain.map((one) => one(transaction)))).flat();
      transaction.changes.push(...changes);
      return changes;
    };
    return queue.ask(places, fencedBy(fence, write));
  }

  search(name: string, options: SearchOptions): SearchIndex {
    const search = this.#searches.get(name) ?? postgresSearch(this.#parts, name, options);
    this.#searches.set(name, search);
    return search;
  }

  text(name: string): TextIndex {
    const texts = this.#texts.get(name) ?? postgresTexts(this.#parts, name);
    this.#texts.set(name, texts);
    return texts;
  }

  watch(collection: string, listener: (change: Change) => void): () => void {
    return this.#parts.watchers.add(collection, listener);
  }

  fault(): string | undefined {
    return this.#parts.queue.fault;
  }

  /** Resolves when everything asked before is done and the connections are closed. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { database, queue, session, unlock } = this.#parts;
    database.refuse();
    try {
      await queue.idle();
      await session.close();
      await database.end();
    } finally {
      unlock();
    }
  }
}
