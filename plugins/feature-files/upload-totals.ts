import { AppError, KeyedQueue, type Collection, type Entity } from "@pergola/sdk";
import { retryConflicts, type Parts } from "@pergola/sdk/host";

/** Bytes that a conversation has taken; the id is the conversation's. */
interface Total extends Entity {
  readonly bytes: number;
}

/** How many bytes each conversation has taken, uploads under way among them. */
export class UploadTotals {
  readonly #parts: Parts;
  readonly #totals: Collection<Total>;
  readonly #underWay = new Map<string, number>();
  readonly #turns = new KeyedQueue();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#totals = parts.stores.storage.collection<Total>("feature-files/totals", { indexes: [] });
  }

  /** From now on a conversation's total goes with it. The function ends that. */
  watch(): () => void {
    return this.#parts.stores.storage.watch("conversations", ({ id, deleted }) => {
      if (deleted) void this.#turns.run(id, () => this.#totals.delete(id)).catch(() => undefined);
    });
  }

  /**
   * Does the work of one upload. It counts the bytes that come, which throws `request_too_large` at a limit;
   * they stay counted when the work has succeeded.
   */
  async during<T>(
    id: string,
    announced: number,
    work: (count: (bytes: number) => void) => Promise<T>,
  ): Promise<T> {
    const before = (await this.#totals.get(id))?.bytes ?? 0;
    let size = 0;
    const change = (bytes: number): void => {
      const sum = (this.#underWay.get(id) ?? 0) + bytes;
      if (sum === 0) this.#underWay.delete(id);
      else this.#underWay.set(id, sum);
    };
    const count = (bytes: number): void => {
      size += bytes;
      change(bytes);
      this.#check(size, before + (this.#underWay.get(id) ?? 0));
    };
    try {
      this.#check(announced, before + (this.#underWay.get(id) ?? 0) + announced);
      const done = await work(count);
      await this.#turns.run(id, () => retryConflicts(() => this.#add(id, size)));
      return done;
    } finally {
      change(-size);
    }
  }

  /** Rejects with `conflict` where another host does the same. */
  async #add(id: string, size: number): Promise<void> {
    const { bytes, version } = (await this.#totals.get(id)) ?? { bytes: 0, version: 0 };
    await this.#totals.put({ id, bytes: bytes + size }, { ifVersion: version });
  }

  #check(size: number, total: number): void {
    const { preferences } = this.#parts;
    for (const [key, bytes] of [
      ["files.max_upload_bytes", size],
      ["files.max_total_bytes", total],
    ] as const) {
      const limit = preferences.get<number>(key);
      const message = `The upload is larger than ${key} allows, ${limit}.`;
      if (bytes > limit) throw new AppError({ code: "request_too_large", message });
    }
  }
}
