import type { FactsThread } from "../facts/facts-thread.ts";
import type { Catalog } from "./catalog.ts";
import { breathe } from "./pace.ts";

/** Files that are written down together. */
const batch = 32;

/** Reads what the catalog knows by name only, the newest first. */
export class ReadQueue {
  readonly #catalog: Catalog;
  readonly #reader: Pick<FactsThread, "read">;
  #work: Promise<void> | undefined;
  #closed = false;

  constructor(catalog: Catalog, reader: Pick<FactsThread, "read">) {
    this.#catalog = catalog;
    this.#reader = reader;
  }

  /** Resolves when nothing is unread. */
  async empty(): Promise<void> {
    this.#work ??= this.#readAll().finally(() => (this.#work = undefined));
    await this.#work;
  }

  close(): void {
    this.#closed = true;
  }

  async #readAll(): Promise<void> {
    while (!this.#closed) {
      const files = this.#catalog.unread(batch);
      if (files.length === 0) return;
      const begin = performance.now();
      const reading = files.map(async (file) => ({
        file,
        ...(await this.#reader.read({ path: file.path, wantsText: true })),
      }));
      const results = await Promise.all(reading);
      if (this.#closed) return;
      this.#catalog.transaction(() => {
        for (const { file, facts, words } of results) this.#catalog.setRead(file, facts, words);
      });
      await breathe(performance.now() - begin);
    }
  }
}
