import { lstatSync } from "node:fs";
import path from "node:path";
import type { Boundaries } from "./boundaries.ts";
import type { Catalog } from "./catalog.ts";
import { breathe, slice } from "./pace.ts";
import { visitFolder, type Place } from "./visit-folder.ts";
import type { Watchers } from "./watchers.ts";

type Task = Place & { /** Go on with every folder inside, not only with new ones. */ readonly deep: boolean };

/**
 * Walks the roots and keeps the catalog like them: a whole round, and single folders that were seen to
 * change. One folder at a time.
 */
export class Scanner {
  readonly #catalog: Catalog;
  readonly #boundaries: Boundaries;
  readonly #watchers: Watchers;
  readonly #waiting: Task[] = [];
  readonly #idle: (() => void)[] = [];
  #working = false;
  #closed = false;
  /** Every folder was visited once. */
  isComplete = false;

  constructor(catalog: Catalog, boundaries: Boundaries, watchers: Watchers) {
    this.#catalog = catalog;
    this.#boundaries = boundaries;
    this.#watchers = watchers;
  }

  /** Visits everything. Resolves when nothing is left to visit. */
  async all(): Promise<void> {
    this.#catalog.transaction(() => this.#catalog.keepOnly(this.#boundaries.roots));
    for (const root of this.#boundaries.roots) this.#add(root, 0, true);
    await this.#work();
    this.isComplete = !this.#closed;
  }

  /** Resolves when nothing is left to visit. */
  async settled(): Promise<void> {
    if (this.#working) await this.#work();
  }

  /** Visits a folder that has changed, and what is new inside. */
  visit(folder: string): void {
    const isRoot = this.#boundaries.roots.includes(folder);
    const parent = isRoot ? 0 : this.#catalog.folderAt(path.dirname(folder));
    if (this.#boundaries.covers(folder, true) && parent !== undefined) this.#add(folder, parent, false);
    else if (!isRoot && this.#boundaries.rootOf(folder) !== undefined)
      return this.visit(path.dirname(folder));
    void this.#work();
  }

  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
  }

  #add(folder: string, parent: number, deep: boolean): void {
    const stats = lstatSync(this.#boundaries.rootOf(folder) ?? folder, { throwIfNoEntry: false });
    if (stats !== undefined) this.#waiting.push({ folder, parent, device: stats.dev, deep });
  }

  async #work(): Promise<void> {
    if (this.#working) return new Promise((resolve) => this.#idle.push(resolve));
    this.#working = true;
    let steps = this.#steps();
    while (!this.#closed) {
      const begin = performance.now();
      const done = this.#catalog.transaction(() => this.#advance(steps, begin + slice));
      await breathe(performance.now() - begin);
      if (done && this.#waiting.length === 0) break;
      if (done) steps = this.#steps();
    }
    this.#working = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #advance(steps: Generator<void, void>, until: number): boolean {
    while (performance.now() < until) if (this.#closed || steps.next().done === true) return true;
    return false;
  }

  *#steps(): Generator<void, void> {
    for (let task = this.#waiting.pop(); task !== undefined; task = this.#waiting.pop()) {
      this.#watchers.watch(task.folder);
      const isNew = this.#catalog.folderAt(task.folder) === undefined;
      const inside = yield* visitFolder(this.#catalog, this.#boundaries, task);
      if (this.#catalog.folderAt(task.folder) === undefined) this.#watchers.unwatch(task.folder);
      const { deep } = task;
      const isDue = ({ folder }: Place): boolean =>
        deep || isNew || this.#catalog.folderAt(folder) === undefined;
      for (const place of inside.filter(isDue)) this.#waiting.push({ ...place, deep });
      yield;
    }
  }
}
