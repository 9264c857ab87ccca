import { Collections } from "@pergola/kit-storage";
import { StorageWatchers } from "@pergola/sdk";
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
import { sqliteBlobs } from "./sqlite-blobs.ts";
import type { PlainWrite, StorageContents, TextIndex } from "./messages.ts";
import { sqliteContents } from "./sqlite-contents.ts";
import { SqliteRecords } from "./sqlite-records.ts";
import { sqliteSearch } from "./sqlite-search.ts";
import { sqliteTexts } from "./sqlite-texts.ts";
import type { WorkerLink } from "./worker-link.ts";

const movedWith = (write: PlainWrite): readonly ArrayBuffer[] =>
  "text" in write && typeof write.text !== "string" ? [write.text.buffer] : [];

/**
 * The storage contract over a worker thread. This side checks and translates; nothing here waits for the
 * disk.
 */
export class SqliteStorage implements Storage {
  readonly #link: WorkerLink;
  readonly #watchers: StorageWatchers;
  readonly #collections: Collections<SqliteRecords>;
  readonly #searches = new Map<string, SearchIndex>();
  readonly #texts = new Map<string, TextIndex>();
  readonly blobs: BlobStore;
  readonly contents: StorageContents;

  constructor(link: WorkerLink, log: Log) {
    this.#link = link;
    this.#collections = new Collections(
      (name) => new SqliteRecords(name, link),
      (writes) => this.#commit(writes),
    );
    this.#watchers = new StorageWatchers(log);
    this.blobs = sqliteBlobs(link);
    this.contents = sqliteContents(link);
  }

  collection<T extends Entity>(name: string, options: CollectionOptions): Collection<T> {
    return this.#collections.open(name, options);
  }

  async commit(writes: readonly Write[]): Promise<void> {
    await this.#commit(writes);
  }

  async #commit(writes: readonly Write[]): Promise<readonly Change[]> {
    const plain = writes.map((write) => this.#collections.recordsOf(write.collection).plain(write));
    const changes = await this.#link.ask("commit", { writes: plain }, plain.flatMap(movedWith));
    this.#watchers.announce(changes);
    return changes;
  }

  search(name: string, options: SearchOptions): SearchIndex {
    const search = this.#searches.get(name) ?? sqliteSearch(this.#link, name, options);
    this.#searches.set(name, search);
    return search;
  }

  text(name: string): TextIndex {
    const texts = this.#texts.get(name) ?? sqliteTexts(this.#link, name);
    this.#texts.set(name, texts);
    return texts;
  }

  watch(collection: string, listener: (change: Change) => void): () => void {
    return this.#watchers.add(collection, listener);
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}
