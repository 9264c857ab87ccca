/**
 * Work that must not happen at once: for each key one after the other, in the order in which it came,
 * whatever becomes of those before.
 */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** What the work gives, or its failure, once its turn has come. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}
