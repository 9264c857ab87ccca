import type { Log } from "./log.ts";
import type { StorageContents, StorageView } from "./storage-contents.ts";
import type { TextIndex } from "./text-index.ts";
import type { Awaitable, JsonObject } from "../util/json.ts";

/**
 * A record: a JSON object with a text id without NUL. `version` is the backend's and is ignored when a record
 * is written.
 */
export interface Entity {
  readonly id: string;
}

/** A record as it was read: `version` counts its writes, from 1. */
export type Stored<T extends Entity> = T & { readonly version: number };

/** What an index holds for a field: its scalar; null when the field is absent, a list or an object. */
export type IndexValue = string | number | boolean | null;

/**
 * Equality, one of several, or a half-open range, on declared index fields; all must hold. A range holds
 * values of its bounds' type only: null is not below a number. A filter that no index begins with, and an
 * undefined condition, are refused with `internal_error`.
 */
export type Filter<T> = {
  readonly [K in keyof T]?:
    | IndexValue
    | { readonly in: readonly IndexValue[] }
    | { readonly gte?: IndexValue; readonly lt?: IndexValue };
};

/** Order and paging of `Collection.find`. */
export interface FindOptions<T extends Entity> {
  /**
   * A declared index field, ties broken by id; default: id. A leading `-` turns the order round. Null comes
   * first, then numbers, text by code points, false, true.
   */
  readonly order?: (keyof T & string) | `-${keyof T & string}`;
  /** The last record of the page before; it need not exist any more. */
  readonly after?: T;
  /** Records to leave out at the beginning. Prefer `after`: it does not grow with the page number. */
  readonly offset?: number;
  /** Default 1000. */
  readonly limit?: number;
}

/** The indexes of a collection. */
export interface CollectionOptions {
  /**
   * Each index is a list of fields; a filter uses the leading fields of one index, and an order its next
   * field. `"a"` is `["a"]`. What a filter asks beyond that is checked record by record.
   */
  readonly indexes: readonly (string | readonly string[])[];
}

/** Records of one kind, found by id or by a filter on declared indexes. */
export interface Collection<T extends Entity> {
  get(id: string): Promise<Stored<T> | undefined>;
  /**
   * With `ifVersion` the stored record must have that version, 0 = must not exist; else it rejects with
   * `conflict`.
   */
  put(record: T, condition?: { readonly ifVersion?: number }): Promise<void>;
  /** False when there was none. */
  delete(id: string): Promise<boolean>;
  find(filter: Filter<T>, options?: FindOptions<T>): Promise<readonly Stored<T>[]>;
  count(filter: Filter<T>): Promise<number>;
}

/**
 * One write of a commit. `ifVersion` makes it conditional: the record must have that version, 0 = must not
 * exist.
 */
export type Write =
  | { readonly collection: string; readonly put: Entity; readonly ifVersion?: number }
  | { readonly collection: string; readonly delete: string; readonly ifVersion?: number }
  | { readonly collection: string; readonly deleteWhere: JsonObject };

/** What a search index holds. */
export interface SearchOptions {
  /** Text fields and their weights. */
  readonly fields: Readonly<Record<string, number>>;
  /** Length of the vectors; 0 = words only. */
  readonly dimensions: number;
}

/** A document of a search index. A document with the same id is replaced. */
export interface SearchDocument {
  readonly id: string;
  /** The partition: queries look into one or several scopes only. */
  readonly scope: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Of unit length. */
  readonly vector?: Float32Array;
}

/** A query by words, by a vector, or by both. */
export interface SearchQuery {
  readonly scopes: readonly string[];
  readonly text?: string;
  readonly vector?: Float32Array;
  readonly limit: number;
}

/** A document that a query found. */
export interface SearchHit {
  readonly id: string;
  /** Words and vectors merged by reciprocal rank; higher is better. */
  readonly score: number;
  /** Cosine, −1 to 1; undefined without vectors. */
  readonly similarity?: number;
  /** Rank among the word hits, from 1; undefined when no word matched. */
  readonly textRank?: number;
  /**
   * What its words count, about 1 where it holds all words of the query, rare ones counting more. A backend
   * may leave it out: ranks tell.
   */
  readonly textScore?: number;
}

/** An index for full-text and vector search. */
export interface SearchIndex {
  index(documents: readonly SearchDocument[], options?: WriteOptions): Promise<void>;
  remove(ids: readonly string[], options?: WriteOptions): Promise<void>;
  removeScope(scope: string, options?: WriteOptions): Promise<void>;
  query(query: SearchQuery): Promise<readonly SearchHit[]>;
}

/** Stores bytes under an id. */
export interface BlobStore {
  put(id: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>;
  /** `start` inclusive, `end` exclusive, in bytes; undefined when there is no such blob. */
  get(id: string, range?: { readonly start: number; readonly end: number }): Promise<Uint8Array | undefined>;
  delete(id: string, options?: WriteOptions): Promise<boolean>;
}

/** A record that was written or deleted. */
export interface Change {
  readonly collection: string;
  readonly id: string;
  readonly deleted: boolean;
}

/**
 * A name that a host has for itself, with the number by which the storage knows that it still has it. Whoever
 * takes the name next gets a higher number.
 */
export interface Fence {
  readonly name: string;
  readonly number: string;
}

/** What a write is made by. */
export interface WriteOptions {
  /**
   * Nothing is written, and `conflict` rejects, in whose details `fence` stands, once another host has its
   * name; a backend without `hosts` has no fences.
   */
  readonly fence?: Fence | undefined;
}

/**
 * Which of several hosts on the same storage has what. A host that ends, hangs or is cut off from the storage
 * loses what it has once another takes it, and can then commit nothing more with its old number.
 */
export interface StorageHosts {
  /** By what name people know this host. */
  readonly label: string;
  /**
   * Takes a name; undefined while another host that is there has it. What other hosts have changed before is
   * told to those who `watch` before it resolves. Rejects with `storage_unavailable`.
   */
  take(name: string): Promise<Fence | undefined>;
  /**
   * Takes any of these names, and does not wait for what others have changed; undefined while hosts that are
   * there have them all.
   */
  takeOne(names: readonly string[]): Promise<Fence | undefined>;
  /** Does nothing where another host has the name by now. */
  release(fence: Fence): Promise<void>;
  /** The labels of the hosts that have these names; names that nobody has are left out. */
  holders(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * `lost`: names that another host has taken away. `abandoned`: names whose host is gone, told each second
   * until somebody takes them. Returns the function that ends the watch.
   */
  watch(listener: {
    readonly lost: (names: readonly string[]) => void;
    readonly abandoned: (names: readonly string[]) => void;
  }): () => void;
}

/**
 * A storage backend. Every method is asynchronous, so that a backend may be a server; nothing is acknowledged
 * before it is durable. There are no transaction closures: what must be atomic is one `commit`. A failed
 * condition rejects with AppError `conflict`; a backend that does not answer rejects with
 * `storage_unavailable`.
 */
export interface Storage {
  /** The same name always gives the same collection; a new index is built when it is first declared. */
  collection<T extends Entity>(name: string, options: CollectionOptions): Collection<T>;
  /** All writes or none, in the order given. Collections must have been declared. */
  commit(writes: readonly Write[], options?: WriteOptions): Promise<void>;
  search(name: string, options: SearchOptions): SearchIndex;
  /**
   * The same name always gives the same index. Where a backend has none, the host keeps one in its memory and
   * fills it at each start.
   */
  text?(name: string): TextIndex;
  readonly blobs: BlobStore;
  /** Absent where a storage serves one host at a time. */
  readonly hosts?: StorageHosts;
  /** Without it, `pergola migrate` can move nothing from or to this storage. */
  readonly contents?: StorageContents;
  /**
   * Changes made by this host and by others on the same storage. Returns the function that ends the watch.
   */
  watch(collection: string, listener: (change: Change) => void): () => void;
  /**
   * A sentence for people why it could not write lately, though small writes may go on; undefined while it
   * can.
   */
  fault?(): string | undefined;
  close(): Promise<void>;
}

/** What a storage backend may use of the host. */
export interface StorageDoor {
  /** Absolute; it exists and belongs to the service. */
  readonly dataDirectory: string;
  /** By what name people know this host, where there are several. */
  readonly hostLabel?: string;
  readonly log: Log;
}

/** A kind of storage backend. */
export interface StorageDefinition {
  readonly type: string;
  /**
   * Rejects with PluginError, whose message is one clear line, when the data cannot be used; it is then left
   * as it was.
   */
  open(settings: JsonObject, door: StorageDoor): Awaitable<Storage>;
  /**
   * Begins what `open` takes time for whatever the settings say, such as starting a thread. A host calls it
   * early in its start, once; it may never call `open` then. Must not throw.
   */
  prepare?(): void;
  /**
   * Copies what the storage keeps in the data directory `from` into the empty folder `target`, as it was at
   * one moment, whether a host works on it or not. Resolves to the names in the data directory that the copy
   * takes the place of, and those that only a running host needs. Rejects with PluginError. Without it,
   * `pergola backup` copies the files as they are, while no service runs.
   */
  copy?(settings: JsonObject, from: string, target: string): Awaitable<readonly string[]>;
  /**
   * Keeps every host away from a data directory until what it resolves to is called. Rejects with PluginError
   * while one works on it.
   */
  hold?(settings: JsonObject, dataDirectory: string): Awaitable<() => void>;
  /**
   * A look at the hosts that share a storage, for `pergola cluster status`. Absent where a storage serves one
   * host at a time. Rejects with PluginError.
   */
  view?(settings: JsonObject): Awaitable<StorageView>;
  /**
   * The settings that an address such as `postgres://…` names, for `pergola migrate`; undefined where the
   * address is none of this storage. What is secret in it stands in `secrets` alone, by the setting's name.
   */
  named?(
    address: string,
  ): { readonly settings: JsonObject; readonly secrets?: Readonly<Record<string, string>> } | undefined;
  /** Where the data lies, for people: the same words for the same data, without secrets. */
  placeOf?(settings: JsonObject, dataDirectory: string): string;
}

/** Checks the types of a storage backend; returns it unchanged. */
export function defineStorage(definition: StorageDefinition): StorageDefinition {
  return definition;
}
