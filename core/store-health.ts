import type { Storage } from "@pergola/sdk";
import { withDeadline } from "@pergola/sdk/host";

const collection = "health";
/** Milliseconds for which a write that went well is believed to tell of the next one. */
const believed = 1000;
/** Milliseconds that a write may take before the last state is told instead, by what that is. */
const patience = { good: 100, fault: 1000 };

/**
 * Tells whether the store can be written: by a small write of its own, for reading goes on when a disk is
 * full.
 */
export class StoreHealth {
  readonly #storage: Storage;
  #fault: string | null = null;
  #lastGood = -Infinity;
  #probe: Promise<void> | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
    storage.collection(collection, { indexes: [] });
  }

  /** Why it cannot be written; null while it can. */
  async fault(): Promise<string | null> {
    const known = this.#storage.fault?.();
    if (known !== undefined) return known;
    if (performance.now() - this.#lastGood < believed) return null;
    this.#probe ??= this.#write().finally(() => (this.#probe = undefined));
    const wait = this.#fault === null ? patience.good : patience.fault;
    await withDeadline(this.#probe, wait, () => new Error()).catch(() => undefined);
    return this.#fault;
  }

  async #write(): Promise<void> {
    try {
      await this.#storage.commit([{ collection, put: { id: "probe" } }]);
      this.#fault = null;
      this.#lastGood = performance.now();
    } catch (error) {
      this.#fault = (error as Error).message;
    }
  }
}
