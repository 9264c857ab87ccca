import { setTimeout } from "node:timers/promises";
import {
  AppError,
  type BlobStore,
  type Change,
  type Collection,
  type CollectionOptions,
  type Entity,
  type Fence,
  type SearchIndex,
  type SearchOptions,
  type Storage,
  type StorageHosts,
  type Write,
} from "@pergola/sdk";
import type { SharedStore } from "./shared-store.ts";

/**
 * What becomes of the step at which a host is stopped, once the host goes on. `before`: it is made then.
 * `after`: it was made, and the host learns of it. `lost`: its connection ended before it was made. `doubt`:
 * it was made, and the connection ended before the host learned of it.
 */
export const stops = ["before", "after", "lost", "doubt"] as const;
export type Stop = (typeof stops)[number];

interface Plan {
  /** Counted from 0. */
  readonly at: number;
  readonly stop: Stop;
  /** Only steps that change something are counted. */
  readonly changesOnly: boolean;
  readonly reached: () => void;
}

type Listener = Parameters<StorageHosts["watch"]>[0];

/** Milliseconds between two times that others are told of what a host has left that is gone. */
const pause = 5;

/** A host's way to the shared store, each step of which a test can stop. */
export class SteppedHost implements Storage {
  readonly label: string;
  readonly hosts: StorageHosts;
  readonly blobs: BlobStore;
  readonly #store: SharedStore;
  readonly #listeners = new Set<Listener>();
  #plan: Plan | undefined;
  #count = 0;
  #frozen: Promise<void> | undefined;
  #thaw: () => void = () => undefined;
  #underWay = 0;
  #had: readonly string[] = [];
  /** Others see it: its session lives. */
  isThere = true;
  /** How often it has asked the store for anything. */
  steps = 0;

  constructor(store: SharedStore, label: string) {
    this.#store = store;
    this.label = label;
    const { blobs } = store.records;
    this.blobs = {
      put: (...given) => this.#step(true, () => blobs.put(...given)),
      get: (...given) => this.#step(false, () => blobs.get(...given)),
      delete: (...given) => this.#step(true, () => blobs.delete(...given)),
    };
    this.hosts = {
      label,
      take: (name) => this.#step(true, async () => store.take(this, name)),
      takeOne: (names) => this.#step(true, async () => this.#takeAny(names)),
      release: (fence) => this.#step(true, async () => store.release(fence)),
      holders: (names) => this.#step(false, async () => this.#holders(names)),
      watch: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
    };
  }

  /** Stops the host at a step from now on; `reached` is called when it is there. */
  stopAt(plan: Plan | undefined): void {
    this.#count = 0;
    this.#plan = plan;
  }

  get isFrozen(): boolean {
    return this.#frozen !== undefined;
  }

  /** Nothing of it is under way. */
  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** Its session ends: others may take what it has, and are told so until they have. */
  async leave(): Promise<void> {
    this.#had = this.#store.namesOf(this);
    this.isThere = false;
    while (!this.isThere && this.#store.abandoned.length > 0) {
      for (const host of this.#store.hosts.values())
        if (host.isThere && !host.isFrozen) host.#tell("abandoned", this.#store.abandoned);
      await setTimeout(pause);
    }
  }

  /** It has another session, and goes on where it was stopped. */
  goOn(): void {
    this.isThere = true;
    this.#plan = undefined;
    this.#frozen = undefined;
    this.#thaw();
  }

  /** It learns of what others have taken. */
  learn(): void {
    const kept = new Set(this.#store.namesOf(this));
    const lost = this.#had.filter((name) => !kept.has(name));
    if (lost.length > 0) this.#tell("lost", lost);
  }

  #tell(what: keyof Listener, names: readonly string[]): void {
    for (const listener of this.#listeners) listener[what](names);
  }

  #takeAny(names: readonly string[]): Fence | undefined {
    for (const name of names) {
      const fence = this.#store.take(this, name);
      if (fence !== undefined) return fence;
    }
    return undefined;
  }

  #holders(names: readonly string[]): ReadonlyMap<string, string> {
    const found = names.map((name) => [name, this.#store.holder(name)?.label] as const);
    return new Map(found.filter((one): one is [string, string] => one[1] !== undefined));
  }

  async #step<T>(isChange: boolean, work: () => Promise<T>): Promise<T> {
    this.steps += 1;
    this.#underWay += 1;
    try {
      return await this.#pass(isChange, work);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #pass<T>(isChange: boolean, work: () => Promise<T>): Promise<T> {
    await this.#frozen;
    const stop = this.#stopOf(isChange);
    if (stop === "after" || stop === "doubt") {
      const done = work();
      await done.catch(() => undefined);
      await this.#frozen;
      if (stop === "after") return done;
    }
    await this.#frozen;
    if (stop === "lost" || stop === "doubt") throw unavailable();
    return work();
  }

  #stopOf(isChange: boolean): Stop | undefined {
    const plan = this.#plan;
    if (plan === undefined || (plan.changesOnly && !isChange)) return undefined;
    if (this.#count++ !== plan.at) return undefined;
    this.#plan = undefined;
    this.#frozen = new Promise((thaw) => (this.#thaw = thaw));
    plan.reached();
    return plan.stop;
  }

  collection<T extends Entity>(name: string, options: CollectionOptions): Collection<T> {
    const records = this.#store.records.collection<T>(name, options);
    const put: Collection<T>["put"] = (record, condition) =>
      this.commit([{ collection: name, put: record, ...condition }]);
    return {
      get: (id) => this.#step(false, () => records.get(id)),
      put,
      delete: (id) => this.#step(true, () => records.delete(id)),
      find: (...given) => this.#step(false, () => records.find(...given)),
      count: (filter) => this.#step(false, () => records.count(filter)),
    };
  }

  commit(writes: readonly Write[], { fence }: { readonly fence?: Fence | undefined } = {}): Promise<void> {
    return this.#step(true, () => this.#store.commit(this, writes, fence));
  }

  search(name: string, options: SearchOptions): SearchIndex {
    const index = this.#store.records.search(name, options);
    return {
      index: (documents) => this.#step(true, () => index.index(documents)),
      remove: (ids) => this.#step(true, () => index.remove(ids)),
      removeScope: (scope) => this.#step(true, () => index.removeScope(scope)),
      query: (query) => this.#step(false, () => index.query(query)),
    };
  }

  watch(collection: string, listener: (change: Change) => void): () => void {
    return this.#store.records.watch(collection, (change) => void this.#hear(listener, change));
  }

  async #hear(listener: (change: Change) => void, change: Change): Promise<void> {
    await this.#frozen;
    listener(change);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

const unavailable = (): AppError =>
  new AppError({ code: "storage_unavailable", message: "The connection ended.", retryAfter: 1 });
