import type { Fence, StorageHosts } from "../contract/storage.ts";
import { newId } from "../util/ids.ts";
import type { Parts } from "./parts.ts";

/**
 * The name by which a host marks what it is at: where several share a storage, others leave it alone until
 * that host is gone. With one host there is nothing to ask.
 */
export class OwnName {
  readonly #prefix: string;
  readonly #parts: Pick<Parts, "log" | "stores">;
  readonly #hosts: StorageHosts | undefined;
  #own: Promise<Fence> | undefined;
  #unwatch: () => void = () => undefined;

  /** `prefix` tells such names from those that are taken for something else. */
  constructor(parts: Pick<Parts, "log" | "stores">, prefix: string) {
    this.#prefix = prefix;
    this.#parts = parts;
    this.#hosts = parts.stores.storage.hosts;
  }

  /** Undefined with one host. Rejects with `storage_unavailable`. */
  async own(): Promise<Fence | undefined> {
    if (this.#hosts === undefined) return undefined;
    this.#own ??= this.#take(this.#hosts);
    return this.#own;
  }

  async #take(hosts: StorageHosts): Promise<Fence> {
    try {
      const fence = await hosts.take(this.#prefix + newId.uuid());
      if (fence === undefined) throw new Error("Nobody else can have a new name.");
      return fence;
    } catch (error) {
      this.#own = undefined;
      throw error;
    }
  }

  /** False while another host that is there has this name; else it can do nothing by it any more. */
  async isGone(name: string | null): Promise<boolean> {
    if (this.#hosts === undefined || name === null || name === (await this.#own)?.name) return true;
    const fence = await this.#hosts.take(name);
    if (fence === undefined) return false;
    await this.#hosts.release(fence);
    return true;
  }

  /** Calls `settle` when hosts are gone that have marked something. */
  watch(settle: () => Promise<void>): void {
    const unwatch = this.#hosts?.watch({
      lost: (names) => void this.#lose(names),
      abandoned: (names) => {
        const left = names.filter((name) => name.startsWith(this.#prefix));
        if (left.length > 0) void this.#settle(left, settle);
      },
    });
    this.#unwatch = unwatch ?? this.#unwatch;
  }

  async #lose(names: readonly string[]): Promise<void> {
    const own = await this.#own;
    if (own !== undefined && names.includes(own.name)) this.#own = undefined;
  }

  async #settle(names: readonly string[], settle: () => Promise<void>): Promise<void> {
    try {
      await settle();
      for (const name of names) await this.isGone(name);
    } catch (error) {
      this.#parts.log.warn({ error, names }, "what a host that is gone has left could not be looked at");
    }
  }

  stop(): void {
    this.#unwatch();
    const own = this.#own;
    this.#own = undefined;
    void own?.then((fence) => this.#hosts?.release(fence)).catch(() => undefined);
  }
}
