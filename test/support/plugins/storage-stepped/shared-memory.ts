import { setTimeout } from "node:timers/promises";
import { AppError, type Storage, type Write } from "@pergola/sdk";
import type { Fence, StorageHosts } from "@pergola/sdk/host";
import { toolContext } from "@pergola/sdk/testing";
import { MemoryStorage } from "../../../../plugins/storage-memory/memory-storage.ts";
import type { Way } from "./stepped-host.ts";

type Listener = Parameters<StorageHosts["watch"]>[0];

/** Milliseconds between two times that others are told of what a host has left that is gone. */
const pause = 5;

/** Records in memory that several hosts share, and which of them has which name. */
export class SharedMemory {
  readonly records = new MemoryStorage(toolContext().log);
  readonly #claims = new Map<string, { readonly host: MemoryHost; readonly number: string }>();
  readonly #hosts: MemoryHost[] = [];
  #number = 0;

  open(label: string): Way {
    const host = new MemoryHost(this, label);
    this.#hosts.push(host);
    const { records } = this;
    const storage: Storage = {
      collection: (...given) => records.collection(...given),
      search: (...given) => records.search(...given),
      watch: (...given) => records.watch(...given),
      blobs: records.blobs,
      hosts: host,
      commit: async (writes, { fence } = {}) => this.#commit(writes, fence),
      close: async () => undefined,
    };
    return {
      storage,
      leave: async () => this.#leave(host),
      learn: async () => host.learn(this.namesOf(host)),
      comeBack: () => void (host.isThere = true),
    };
  }

  async #commit(writes: readonly Write[], fence: Fence | undefined): Promise<void> {
    if (fence !== undefined && this.#claims.get(fence.name)?.number !== fence.number) {
      const message = "Another host has taken this over.";
      throw new AppError({ code: "conflict", message, details: { fence: fence.name } });
    }
    await this.records.commit(writes);
  }

  take(host: MemoryHost, name: string): Fence | undefined {
    const claim = this.#claims.get(name);
    if (claim !== undefined && (claim.host === host || claim.host.isThere)) return undefined;
    const number = String((this.#number += 1));
    this.#claims.set(name, { host, number });
    return { name, number };
  }

  release({ name, number }: Fence): void {
    if (this.#claims.get(name)?.number === number) this.#claims.delete(name);
  }

  holder(name: string): MemoryHost | undefined {
    const host = this.#claims.get(name)?.host;
    return host?.isThere === true ? host : undefined;
  }

  namesOf(host: MemoryHost): readonly string[] {
    return [...this.#claims].filter(([, claim]) => claim.host === host).map(([name]) => name);
  }

  /** Others are told of what it has until they have taken all of it, or it is back. */
  async #leave(host: MemoryHost): Promise<void> {
    host.leave(this.namesOf(host));
    for (let left = host.had; left.length > 0 && !host.isThere; left = this.namesOf(host)) {
      for (const other of this.#hosts) if (other.isThere) other.tell("abandoned", left);
      await setTimeout(pause);
    }
  }
}

class MemoryHost implements StorageHosts {
  readonly label: string;
  readonly #shared: SharedMemory;
  readonly #listeners = new Set<Listener>();
  isThere = true;
  /** What it had when its session ended. */
  had: readonly string[] = [];

  constructor(shared: SharedMemory, label: string) {
    this.#shared = shared;
    this.label = label;
  }

  leave(names: readonly string[]): void {
    this.had = names;
    this.isThere = false;
  }

  /** It hears of what others have taken. */
  learn(kept: readonly string[]): void {
    const lost = this.had.filter((name) => !kept.includes(name));
    this.had = [];
    if (lost.length > 0) this.tell("lost", lost);
  }

  tell(what: keyof Listener, names: readonly string[]): void {
    for (const listener of this.#listeners) listener[what](names);
  }

  async take(name: string): Promise<Fence | undefined> {
    return this.#shared.take(this, name);
  }

  async takeOne(names: readonly string[]): Promise<Fence | undefined> {
    for (const name of names) {
      const fence = this.#shared.take(this, name);
      if (fence !== undefined) return fence;
    }
    return undefined;
  }

  async release(fence: Fence): Promise<void> {
    this.#shared.release(fence);
  }

  async holders(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = names.map((name) => [name, this.#shared.holder(name)?.label] as const);
    return new Map(found.filter((one): one is [string, string] => one[1] !== undefined));
  }

  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
