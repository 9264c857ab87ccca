import type { Log } from "../contract/log.ts";
import type { Change } from "../contract/storage.ts";

type Listener = (change: Change) => void;

/**
 * The listeners of a storage backend, by collection, for its `watch`. A listener that throws is logged and
 * disturbs neither the write nor the other listeners.
 */
export class StorageWatchers {
  readonly #log: Log;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Calls the listener for each change of a collection. Returns the function that removes it. */
  add(collection: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(collection) ?? new Set();
    this.#listeners.set(collection, listeners);
    const own: Listener = (change) => listener(change);
    listeners.add(own);
    return () => void listeners.delete(own);
  }

  /** Calls the listeners of the changed collections, in the order of the changes. */
  announce(changes: readonly Change[]): void {
    for (const change of changes)
      for (const listener of this.#listeners.get(change.collection) ?? []) this.#notify(listener, change);
  }

  #notify(listener: Listener, change: Change): void {
    try {
      listener(change);
    } catch (error) {
      this.#log.error({ error, collection: change.collection }, "a watcher of the storage failed");
    }
  }
}
