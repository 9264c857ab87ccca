import type { Change, Log } from "@pergola/sdk";

type Listener = (change: Change) => void;

/** Who wants to hear of changes, by collection. */
export class Watchers {
  readonly #log: Log;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Returns the function that ends the watch. */
  add(collection: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(collection) ?? new Set();
    this.#listeners.set(collection, listeners);
    const own: Listener = (change) => listener(change);
    listeners.add(own);
    return () => void listeners.delete(own);
  }

  /** A listener's fault stays its own. */
  announce(changes: readonly Change[]): void {
    for (const change of changes)
      for (const listener of this.#listeners.get(change.collection) ?? []) this.#tell(listener, change);
  }

  #tell(listener: Listener, change: Change): void {
    try {
      listener(change);
    } catch (error) {
      this.#log.error({ error, collection: change.collection }, "a watcher of the storage failed");
    }
  }
}
