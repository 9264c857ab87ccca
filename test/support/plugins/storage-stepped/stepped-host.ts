import {
  AppError,
  type BlobStore,
  type Change,
  type Collection,
  type CollectionOptions,
  type Entity,
  type SearchIndex,
  type SearchOptions,
  type Storage,
  type Write,
} from "@pergola/sdk";
import type { Fence, StorageHosts } from "@pergola/sdk/host";
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

/** A host's own way to what it shares with others, which a test can cut. */
export interface Way {
  readonly storage: Storage;
  /** Its session ends: others may take what it has. */
  leave(): Promise<void>;
  /** Resolves when it has learnt of what others have taken. */
  learn(): Promise<void>;
  /** It has a session again. */
  comeBack(): void;
}

/** A host's storage, each step of which a test can stop. */
export class SteppedHost implements Storage {
  readonly label: string;
  readonly hosts: StorageHosts;
  readonly blobs: BlobStore;
  readonly #store: SharedStore;
  readonly #way: Way;
  #plan: Plan | undefined;
  #count = 0;
  #frozen: Promise<void> | undefined;
  #thaw: () => void = () => undefined;
  #underWay = 0;
  /** How often it has asked the store for anything. */
  steps = 0;

  constructor(store: SharedStore, label: string, way: Way) {
    this.#store = store;
    this.#way = way;
    this.label = label;
    const { blobs } = way.storage;
    const hosts = way.storage.hosts!;
    this.blobs = {
      put: (...given) => this.#step(true, () => blobs.put(...given)),
      get: (...given) => this.#step(false, () => blobs.get(...given)),
      delete: (...given) => this.#step(true, () => blobs.delete(...given)),
    };
    this.hosts = {
      label,
      take: (name) => this.#take(() => hosts.take(name)),
      takeOne: (names) => this.#take(() => hosts.takeOne(names)),
      release: (fence) => this.#release(fence),
      holders: (names) => this.#step(false, () => hosts.holders(names)),
      watch: ({ lost, abandoned }) =>
        hosts.watch({ lost, abandoned: (names) => void (this.isFrozen || abandoned(names)) }),
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

  leave(): Promise<void> {
    return this.#way.leave();
  }

  /** It has a session again, and goes on where it was stopped, before it learns of anything or after. */
  async goOn(learnsFirst = false): Promise<void> {
    this.#way.comeBack();
    if (learnsFirst) await this.#way.learn();
    this.#plan = undefined;
    this.#frozen = undefined;
    this.#thaw();
  }

  learn(): Promise<void> {
    return this.#way.learn();
  }

  /** What was taken and not acknowledged is given back, as a storage does once it can. */
  async #take(take: () => Promise<Fence | undefined>): Promise<Fence | undefined> {
    let fence: Fence | undefined;
    const work = async (): Promise<Fence | undefined> => {
      fence = await take();
      if (fence !== undefined) this.#store.noteTaken(fence.name, this);
      return fence;
    };
    return this.#step(true, work).catch(async (error: unknown) => {
      if (fence !== undefined) await this.#giveBack(fence);
      throw error;
    });
  }

  async #release(fence: Fence): Promise<void> {
    await this.#step(true, () => this.#giveBack(fence)).catch(async (error: unknown) => {
      await this.#giveBack(fence);
      throw error;
    });
  }

  async #giveBack(fence: Fence): Promise<void> {
    await this.#way.storage.hosts!.release(fence);
    this.#store.noteReleased(fence.name, this);
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
    const records = this.#way.storage.collection<T>(name, options);
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
    return this.#step(true, async () => {
      await this.#way.storage.commit(writes, { fence });
      for (const write of writes) this.#store.noteWritten(this, write);
    });
  }

  search(name: string, options: SearchOptions): SearchIndex {
    const index = this.#way.storage.search(name, options);
    return {
      index: (...given) => this.#step(true, () => index.index(...given)),
      remove: (...given) => this.#step(true, () => index.remove(...given)),
      removeScope: (...given) => this.#step(true, () => index.removeScope(...given)),
      query: (query) => this.#step(false, () => index.query(query)),
    };
  }

  watch(collection: string, listener: (change: Change) => void): () => void {
    return this.#way.storage.watch(collection, (change) => void this.#hear(listener, change));
  }

  async #hear(listener: (change: Change) => void, change: Change): Promise<void> {
    await this.#frozen;
    listener(change);
  }

  close(): Promise<void> {
    return this.#way.storage.close();
  }
}

const unavailable = (): AppError =>
  new AppError({ code: "storage_unavailable", message: "The connection ended.", retryAfter: 1 });
