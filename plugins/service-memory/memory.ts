import {
  AppError,
  KeyedQueue,
  type MemoryChanges,
  type MemoryDraft,
  type MemoryHit,
  type MemoryItem,
  type MemoryQuery,
  type RememberedMemory,
  type Stored,
  type Write,
} from "@pergola/sdk";
import type { MemoryKeeper, Parts } from "@pergola/sdk/host";
import { batchesOf } from "./batches.ts";
import { findHits } from "./find-hits.ts";
import { findSources } from "./find-sources.ts";
import { History } from "./history/history.ts";
import { withArchive } from "./history/with-archive.ts";
import { importItems } from "./import-items.ts";
import { hitsInAll } from "./hits-in-all.ts";
import { idsByScope } from "./ids-by-scope.ts";
import { ItemIndex } from "./item-index.ts";
import { LateVectors } from "./late-vectors.ts";
import { listItems, newestItems, statisticsOf } from "./items.ts";
import { contentDigest, placesInMillisecond, type ItemOrigin } from "./make-item.ts";
import { withNeighbours } from "./neighbours.ts";
import { superfluous } from "./prune.ts";
import { forgettingScope, itemOf, openRecords, type Records, type StoredItem } from "./records.ts";
import { Refill } from "./refill.ts";
import { scopedView, type ChangeOrigin, type MemoryOfCalls } from "./scoped-view.ts";
import { storeDrafts } from "./store-drafts.ts";
import type { Embedded } from "./vectors.ts";

/** How many items are stored in one commit; between two of them others get their turn. */
const batchSize = 32;

const collection = "memories";

/**
 * What is remembered, in the host's storage: the items, and the indexes that follow them. One change at a
 * time in each scope.
 */
export class Memory implements MemoryKeeper {
  readonly #parts: Parts;
  readonly #records: Records;
  readonly #stopping = new AbortController();
  readonly #turns = new KeyedQueue();
  readonly #index: ItemIndex;
  readonly #history: History;
  readonly #refill: Refill;
  readonly #lateVectors = new LateVectors((scope, ids, trace) => this.#makeVectors(scope, ids, trace));
  #place = 0;
  #revision = 0;
  #ready: Promise<void> = Promise.resolve();
  #unwatch: () => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#records = openRecords(parts.stores.storage);
    const { signal } = this.#stopping;
    this.#index = new ItemIndex(parts, this.#records, signal);
    this.#history = new History(parts, this.#records, signal);
    this.#refill = new Refill({
      records: this.#records,
      index: this.#index,
      turns: this.#turns,
      log: parts.log,
      signal,
    });
  }

  /** Goes on with what the last host had begun. Searches wait for it. */
  recover(): void {
    this.#unwatch = this.#parts.stores.storage.watch("memory_forgotten", ({ id, deleted }) => {
      this.#revision += 1;
      if (!deleted) void this.#forget(id).catch((error: unknown) => this.#warn(error));
    });
    this.#ready = this.#resume().catch((error: unknown) => this.#warn(error));
  }

  async stop(): Promise<void> {
    this.#unwatch();
    this.#stopping.abort();
    await this.#ready;
    await this.settled;
  }

  /** Resolves when no vector is being made in the background. */
  get settled(): Promise<void> {
    return this.#lateVectors.done().then(() => this.#refill.done);
  }

  readonly scoped: MemoryKeeper["scoped"] = (of) => scopedView(this, this.#parts, of);

  async store(
    of: ItemOrigin,
    drafts: readonly MemoryDraft[],
    by: ChangeOrigin = {},
  ): Promise<readonly RememberedMemory[]> {
    const stored: RememberedMemory[] = [];
    for (const batch of batchesOf(drafts, batchSize))
      stored.push(...(await this.#turns.run(of.scope, () => this.#store(of, batch, by))));
    return stored;
  }

  async #store(of: ItemOrigin, drafts: readonly MemoryDraft[], by: ChangeOrigin) {
    const { fresh, stored } = await storeDrafts(this.#records, of, drafts, () => this.#nextPlace());
    if (fresh.length > 0) await this.#change(putsOf(fresh), fresh, by);
    return stored;
  }

  async search(query: MemoryQuery & { readonly scopes?: readonly string[] }): Promise<readonly MemoryHit[]> {
    if (query.query.trim() === "") return [];
    await this.#ready;
    const embedded = query.wordsOnly === true ? undefined : await this.#embed(query);
    const search = {
      records: this.#records,
      index: this.#index,
      now: this.#parts.clock.now(),
    };
    const hitsIn = (scopes: readonly string[]) => findHits(search, { ...query, scopes }, embedded);
    if (query.scopes === undefined) return hitsInAll(this.#records, query, hitsIn);
    return hitsIn(query.scopes);
  }

  get revision(): number {
    return this.#revision;
  }

  async prepare({ query, trace }: Pick<MemoryQuery, "query" | "trace">): Promise<void> {
    await this.#index.vectors.embed([query], trace).catch(() => undefined);
  }

  /** The vector of a query, once what was stored before can be found by it. */
  async #embed({
    query,
    scopes,
    trace,
  }: Parameters<MemoryKeeper["search"]>[0]): Promise<Embedded | undefined> {
    const [embedded] = await Promise.all([
      this.#index.vectors.embed([query], trace),
      this.#lateVectors.made(scopes),
    ]);
    this.#refill.onModel(embedded?.model);
    return embedded;
  }

  async get(id: string): Promise<MemoryItem> {
    return itemOf(await this.#get(id));
  }

  readonly sources: MemoryKeeper["sources"] = (items) => findSources(this.#parts, items);

  readonly list: MemoryKeeper["list"] = (page) => listItems(this.#records, page);

  async update(id: string, changes: MemoryChanges, by: ChangeOrigin = {}): Promise<MemoryItem> {
    const { scope } = await this.#get(id);
    return this.#turns.run(scope, async () => {
      const { version: _, ...item } = await this.#get(id);
      const content = changes.content ?? item.content;
      const put = {
        ...item,
        ...changes,
        digest: contentDigest(item.kind, content),
        updatedAt: this.#parts.timestamp(),
      };
      this.#revision += 1;
      await this.#change([{ collection, put }], [put], by);
      return itemOf(put);
    });
  }

  async delete(id: string, by: ChangeOrigin = {}): Promise<void> {
    const { scope } = await this.#get(id);
    await this.#turns.run(scope, async () => this.#remove([await this.#get(id)], by));
  }

  async deleteScope(scope: string): Promise<void> {
    await this.#parts.stores.commit(this.deletionWrites(scope));
    await this.#forget(scope);
  }

  readonly importWrites: MemoryKeeper["importWrites"] = async (of, memories, { replaces }) => {
    const nextPlace = () => this.#nextPlace();
    const fresh = await importItems(this.#records, of, memories, { replaces, nextPlace });
    const touched = await withNeighbours(this.#records, fresh);
    const writes = [...putsOf(fresh), ...(await this.#index.due(touched))];
    const ids = touched.map(({ id }) => id);
    const follow = (): Promise<void> =>
      this.#turns.run(of.scope, async () => {
        await this.#forgetNow(of.scope);
        for (const batch of batchesOf(ids, batchSize)) await this.#follow(of.scope, batch);
      });
    return { writes, count: fresh.length, follow };
  };

  readonly deletionWrites = forgettingScope;

  readonly newest: MemoryKeeper["newest"] = (of, limit) => newestItems(this.#records, of, limit);

  readonly statistics: MemoryKeeper["statistics"] = (scope) =>
    statisticsOf(this.#records, scope, this.#parts.clock.now());

  readonly prune: MemoryOfCalls["prune"] = (scope, rules, by = {}) =>
    this.#turns.run(scope, async () => {
      const { gone, remaining } = await superfluous(this.#records, scope, rules, this.#parts.clock.now());
      for (const batch of batchesOf(gone, batchSize)) await this.#remove(batch, by);
      return { removed: gone.length, remaining };
    });

  readonly recall: MemoryKeeper["recall"] = (query) =>
    withArchive(this.#parts, query, this.#history.recall(query));

  async #get(id: string): Promise<Stored<StoredItem>> {
    const found = await this.#records.items.get(id);
    if (found !== undefined) return found;
    throw new AppError({ code: "not_found", message: `There is no memory "${id}".` });
  }

  #remove(items: readonly StoredItem[], by: ChangeOrigin): Promise<void> {
    this.#revision += 1;
    return this.#change(
      items.map(({ id }) => ({ collection, delete: id })),
      items,
      by,
    );
  }

  /**
   * Changes items, and makes the indexes follow: theirs, and those of the items beside them, whose entries
   * hold some of their words.
   */
  async #change(
    writes: readonly Write[],
    items: readonly StoredItem[],
    { fence, trace }: ChangeOrigin,
  ): Promise<void> {
    const touched = await withNeighbours(this.#records, items);
    await this.#parts.stores.commit([...writes, ...(await this.#index.due(touched))], { fence });
    await this.#follow(
      items[0]!.scope,
      touched.map(({ id }) => id),
      trace,
    );
  }

  async #follow(scope: string, ids: readonly string[], trace?: string): Promise<void> {
    this.#lateVectors.add(scope, await this.#index.follow(ids), trace);
  }

  /** Nobody waits while a model works; what has changed meanwhile is left to those who changed it. */
  async #makeVectors(scope: string, ids: readonly string[], trace: string | undefined): Promise<void> {
    try {
      const made = await this.#index.embed(ids, { trace });
      if (made.embedded === undefined) return;
      await this.#turns.run(scope, () => this.#index.putVectors(made));
      this.#refill.onModel(made.embedded.model);
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Steps that are never taken back, so that places tell the order. */
  #nextPlace(): number {
    this.#place = Math.max(this.#place + 1, this.#parts.clock.now() * placesInMillisecond);
    return this.#place;
  }

  #forget(scope: string): Promise<void> {
    return this.#turns.run(scope, () => this.#forgetNow(scope));
  }

  async #forgetNow(scope: string): Promise<void> {
    if ((await this.#records.forgotten.get(scope)) === undefined) return;
    await this.#index.forget(scope);
    await this.#history.forget(scope);
    await this.#records.forgotten.delete(scope);
  }

  async #resume(): Promise<void> {
    const forgotten = await this.#records.forgotten.find({ id: { gte: "" } });
    for (const { id } of forgotten) await this.#forget(id);
    const due = await this.#records.states.find({ due: true }, { limit: 100_000 });
    for (const [scope, ids] of idsByScope(due))
      for (const batch of batchesOf(ids, batchSize))
        await this.#turns.run(scope, () => this.#follow(scope, batch));
  }

  #warn(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#parts.log.warn(
      { error },
      "the search indexes of memory are out of date; the next start updates them",
    );
  }
}

const putsOf = (items: readonly StoredItem[]): readonly Write[] => items.map((put) => ({ collection, put }));
