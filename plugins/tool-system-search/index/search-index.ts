import { setTimeout as delay } from "node:timers/promises";
import { defined } from "@pergola/sdk";
import type { IndexAnswer, IndexSettings, Request } from "../service/messages.ts";
import { FactsThread } from "../facts/facts-thread.ts";
import { Boundaries } from "./boundaries.ts";
import { Catalog } from "./catalog.ts";
import { attributeNamed, columnNames, isColumn } from "./comparison.ts";
import { openDatabase } from "./open-database.ts";
import { ask } from "./queries.ts";
import { ReadQueue } from "./read-queue.ts";
import { Scanner } from "./scanner.ts";
import { Watchers } from "./watchers.ts";

const minute = 60_000;
/** Milliseconds between two rounds over everything: when all folders are watched, and when some are not. */
const [watched, unwatched] = [360 * minute, 15 * minute];

/**
 * The index of some roots: a file of words and facts that follows the folders, and answers. Lives in a thread
 * of its own.
 */
export class SearchIndex {
  readonly #catalog: Catalog;
  readonly #watchers: Watchers;
  readonly #scanner: Scanner;
  readonly #reader = new FactsThread();
  readonly #queue: ReadQueue;
  #round: NodeJS.Timeout | undefined;

  /** Opens the index as it was left; the first round begins at once. Throws SqliteError. */
  constructor(settings: IndexSettings) {
    const boundaries = new Boundaries(settings);
    this.#catalog = new Catalog(openDatabase(settings.folder));
    this.#watchers = new Watchers(boundaries.roots, (folder) => this.#changed(folder));
    this.#scanner = new Scanner(this.#catalog, boundaries, this.#watchers);
    this.#queue = new ReadQueue(this.#catalog, this.#reader);
    void this.#goRound();
  }

  async answer({ query, patience }: Request): Promise<IndexAnswer> {
    await this.#upToDate(patience, query.kind === "names" || query.kind === "recent");
    const { candidates, total } = ask(this.#catalog.database, query);
    const state = { ...this.#catalog.counts(), complete: this.#scanner.isComplete };
    if (query.kind !== "metadata" || total > 0) return { candidates, total, state };
    return defined({ candidates, total, state, attributes: this.#attributesInstead(query.attribute) });
  }

  async close(): Promise<void> {
    clearTimeout(this.#round);
    this.#watchers.close();
    this.#scanner.close();
    this.#queue.close();
    await this.#reader.close();
    this.#catalog.close();
  }

  async #goRound(): Promise<void> {
    await this.#scanner.all();
    this.#round = setTimeout(() => void this.#goRound(), this.#watchers.limited ? unwatched : watched);
    await this.#queue.empty();
  }

  #changed(folder: string): void {
    this.#scanner.visit(folder);
    void this.#scanner.settled().then(() => this.#queue.empty());
  }

  /** What has changed until now is seen, unless that takes too long. */
  async #upToDate(patience: number, namesOnly: boolean): Promise<void> {
    const late = delay(patience, undefined, { ref: false });
    const seen = async (): Promise<void> => {
      // The system has told of changes, but nobody has listened yet.
      await delay(5);
      this.#watchers.flush();
      await this.#scanner.settled();
      if (!namesOnly) await this.#queue.empty();
    };
    await Promise.race([seen(), late]);
  }

  /** The attributes that there are, when this one is none of them. */
  #attributesInstead(name: string): readonly string[] | undefined {
    const attribute = attributeNamed(name);
    const known = this.#catalog.attributes();
    if (isColumn(attribute) || known.includes(attribute)) return undefined;
    return [...columnNames, ...known];
  }
}
