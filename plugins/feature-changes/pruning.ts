import { KeyedQueue } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { Contents } from "./contents.ts";
import { names, type Records, type StoredChange } from "./records.ts";

const [page, hour] = [200, 3_600_000];

/** Forgets what is too old or too much, the oldest first, and what nobody needs any more. */
export class Pruning {
  readonly #parts: Parts;
  readonly #records: Records;
  readonly #contents: Contents;
  readonly #turns = new KeyedQueue();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts, records: Records, contents: Contents) {
    this.#parts = parts;
    this.#records = records;
    this.#contents = contents;
  }

  start(): void {
    void this.prune();
    this.#timer = setInterval(() => void this.prune(), hour).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Prunes when more is kept than may be. */
  fit(): void {
    if (this.#contents.bytes > this.#most) void this.prune();
  }

  async prune(): Promise<void> {
    await this.#turns.run("prune", () => this.#prune()).catch((error: unknown) => this.#warn(error));
  }

  /** Contents whose changes were forgotten with their conversation. */
  async sweepOrphan(id: string): Promise<void> {
    const sweep = async (): Promise<void> => {
      const found = await this.#records.orphans.get(id);
      await this.#contents.sweep(found?.contents ?? []);
      await this.#records.orphans.delete(id);
    };
    await this.#turns.run(id, sweep).catch((error: unknown) => this.#warn(error));
  }

  get #most(): number {
    return this.#parts.preferences.get<number>("changes.max_total_bytes");
  }

  async #prune(): Promise<void> {
    if (this.#parts.stores.storage.hosts !== undefined) await this.#contents.countBytes();
    const days = this.#parts.preferences.get<number>("changes.retention_days");
    const oldest = (this.#parts.clock.now() - days * 86_400_000) * 1000;
    await this.#forget(names.gaps, await this.#records.gaps.find({ seq: { lt: oldest } }));
    for (;;) {
      const excess = this.#contents.bytes - this.#most;
      const filter = excess > 0 ? {} : { seq: { lt: oldest } };
      const found = await this.#records.changes.find(filter, { order: "seq", limit: page });
      const ended = found.filter(({ state }) => state !== "pending");
      const done = excess > 0 ? firstOf(ended, excess) : ended;
      if (done.length === 0) return;
      await this.#forget(names.changes, done);
      await this.#contents.sweep(done.flatMap(({ contentId }) => contentId ?? []));
    }
  }

  async #forget(collection: string, old: readonly { readonly id: string }[]): Promise<void> {
    if (old.length > 0) await this.#parts.stores.commit(old.map(({ id }) => ({ collection, delete: id })));
  }

  #warn(error: unknown): void {
    this.#parts.log.warn({ error }, "old changes of files could not be forgotten");
  }
}

/** As many as hold so many bytes. */
function firstOf(changes: readonly StoredChange[], bytes: number): readonly StoredChange[] {
  let sum = 0;
  const last = changes.findIndex(({ contentId, before }) => {
    if (contentId !== null) sum += before?.size ?? 0;
    return sum >= bytes;
  });
  if (last < 0) return changes;
  return changes.slice(0, last + 1);
}
