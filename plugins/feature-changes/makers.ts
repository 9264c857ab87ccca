import { newId } from "@pergola/sdk";
import type { Fence, Parts, StorageHosts } from "@pergola/sdk/host";

const prefix = "changes/";

/**
 * Which host makes a change: where several share a storage, others leave it alone until that host is gone.
 * With one host there is nothing to ask.
 */
export class Makers {
  readonly #parts: Parts;
  readonly #hosts: StorageHosts | undefined;
  #own: Promise<Fence> | undefined;
  #unwatch: () => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#hosts = parts.stores.storage.hosts;
  }

  /** The name of this host among them; undefined with one host. Rejects with `storage_unavailable`. */
  async own(): Promise<Fence | undefined> {
    if (this.#hosts === undefined) return undefined;
    this.#own ??= this.#take(this.#hosts);
    return this.#own;
  }

  async #take(hosts: StorageHosts): Promise<Fence> {
    try {
      const fence = await hosts.take(prefix + newId.uuid());
      if (fence === undefined) throw new Error("Nobody else can have a new name.");
      return fence;
    } catch (error) {
      this.#own = undefined;
      throw error;
    }
  }

  /** False while another host that is there may still make the change; else it can make it no more. */
  async isGone(maker: string | null): Promise<boolean> {
    if (this.#hosts === undefined || maker === null || maker === (await this.#own)?.name) return true;
    const fence = await this.#hosts.take(maker);
    if (fence === undefined) return false;
    await this.#hosts.release(fence);
    return true;
  }

  /** Calls `settle` when hosts are gone that were making changes. */
  watch(settle: () => Promise<void>): void {
    const unwatch = this.#hosts?.watch({
      lost: (names) => void this.#lose(names),
      abandoned: (names) => {
        const left = names.filter((name) => name.startsWith(prefix));
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
      this.#parts.log.warn({ error }, "what a host that is gone has changed in files could not be looked at");
    }
  }

  stop(): void {
    this.#unwatch();
    const own = this.#own;
    this.#own = undefined;
    void own?.then((fence) => this.#hosts?.release(fence)).catch(() => undefined);
  }
}
