import { batchesOf } from "./batches.ts";

/** How many items get vectors at a time. */
const batchSize = 32;

/** A search waits for the vectors of so many items of a scope; beyond, words find them meanwhile. */
const mostAwaited = 64;

interface ScopeWork {
  readonly waiting: number;
  /** Resolves when none of these waits any more. */
  readonly done: Promise<void>;
}

/** Makes the vectors of a few items of a scope; never rejects. `trace`: below which their spans belong. */
type MakeVectors = (scope: string, ids: readonly string[], trace: string | undefined) => Promise<void>;

/** Makes the vectors of what was stored, while those who stored it go on. */
export class LateVectors {
  readonly #make: MakeVectors;
  readonly #work = new Map<string, ScopeWork>();

  constructor(make: MakeVectors) {
    this.#make = make;
  }

  add(scope: string, ids: readonly string[], trace?: string): void {
    if (ids.length === 0) return;
    const before = this.#work.get(scope);
    const make = (batch: readonly string[]): Promise<void> => this.#make(scope, batch, trace);
    const done = this.#makeAll(scope, ids, make, before?.done);
    this.#work.set(scope, { waiting: (before?.waiting ?? 0) + ids.length, done });
  }

  async #makeAll(
    scope: string,
    ids: readonly string[],
    make: (batch: readonly string[]) => Promise<void>,
    before: Promise<void> | undefined,
  ): Promise<void> {
    await before;
    for (const batch of batchesOf(ids, batchSize)) await make(batch);
    const { waiting = 0, done } = this.#work.get(scope) ?? {};
    if (waiting === ids.length) this.#work.delete(scope);
    else if (done !== undefined) this.#work.set(scope, { waiting: waiting - ids.length, done });
  }

  /** Waits for all. */
  async done(): Promise<void> {
    await Promise.all([...this.#work.values()].map(({ done }) => done));
  }

  /** Waits for what was stored in some scopes, or in any, before now, unless that is much. */
  async made(scopes: readonly string[] = [...this.#work.keys()]): Promise<void> {
    const work = scopes.flatMap((scope) => this.#work.get(scope) ?? []);
    await Promise.all(work.filter(({ waiting }) => waiting <= mostAwaited).map(({ done }) => done));
  }
}
