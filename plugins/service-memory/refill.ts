import type { Log, KeyedQueue } from "@pergola/sdk";
import { idsByScope } from "./ids-by-scope.ts";
import type { ItemIndex } from "./item-index.ts";
import type { IndexState, Records } from "./records.ts";

const pageSize = 32;
/** Milliseconds between two lines of the log. */
const interval = 5000;

interface RefillOptions {
  readonly records: Records;
  readonly index: ItemIndex;
  readonly turns: KeyedQueue;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * When a model answers that has not made all vectors, it makes the missing ones: in the background, a page at
 * a time, once.
 */
export class Refill {
  readonly #options: RefillOptions;
  #model = "";
  #work: Promise<void> = Promise.resolve();

  constructor(options: RefillOptions) {
    this.#options = options;
  }

  /** Resolves when nothing is at work any more. */
  get done(): Promise<void> {
    return this.#work;
  }

  /** Tells which model has just answered, or that none did: then the next that does is looked at anew. */
  onModel(model: string | undefined): void {
    if (model === this.#model) return;
    this.#model = model ?? "";
    if (model === undefined) return;
    this.#work = this.#work
      .then(() => this.#fill(model))
      .catch((error: unknown) =>
        this.#options.log.warn(
          { error, model },
          "memories could not be indexed anew; they are found by words",
        ),
      );
  }

  async #fill(model: string): Promise<void> {
    const { records, log, signal } = this.#options;
    const { states } = records;
    const counts = await Promise.all(otherThan(model).map((condition) => states.count(condition)));
    const total = counts.reduce((sum, count) => sum + count);
    let done = 0;
    let logged = performance.now();
    if (total > 0) log.info({ model, total }, "memories are indexed anew");
    for (let page = await this.#others(model); page.length > 0; page = await this.#others(model)) {
      for (const [scope, ids] of idsByScope(page)) {
        if (signal.aborted || this.#model !== model) return;
        await this.#embed(scope, ids, model);
        done += ids.length;
        if (performance.now() - logged < interval) continue;
        logged = performance.now();
        log.info({ model, done, total }, `memories are indexed anew: ${done} of ${total}`);
      }
    }
    if (total > 0) log.info({ model, done }, "memories have been indexed anew");
  }

  /** Items whose vectors are missing or another model's. */
  async #others(model: string): Promise<readonly IndexState[]> {
    for (const condition of otherThan(model)) {
      const page = await this.#options.records.states.find(condition, { order: "model", limit: pageSize });
      if (page.length > 0) return page;
    }
    return [];
  }

  /** Throws when there is no progress, so that the same items are not asked for again and again. */
  async #embed(scope: string, ids: readonly string[], model: string): Promise<void> {
    const { records, index, turns } = this.#options;
    const made = await index.embed(ids, { model });
    const answering = made.embedded?.model;
    if (made.items.length > 0 && answering !== model)
      throw new Error(`The vectors come from ${answering ?? "nowhere"} now.`);
    await turns.run(scope, async () => {
      await index.putVectors(made);
      const known = new Set((await records.items.find({ id: { in: ids } })).map(({ id }) => id));
      for (const id of ids.filter((id) => !known.has(id))) await records.states.delete(id);
    });
  }
}

/** Any model but this one: what comes before it in the index, and what comes after it. */
const otherThan = (model: string) => [{ model: { lt: model } }, { model: { gte: `${model}\u0001` } }];
