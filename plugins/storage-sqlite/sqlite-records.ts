import { isStorageId, planFind, recordFrom, recordText } from "@pergola/sdk";
import type { Entity, FindOptions, FindPlan, Stored, Write } from "@pergola/sdk";
import { Declaration } from "./declaration.ts";
import type { PlainWrite } from "./messages.ts";
import type { WorkerLink } from "./worker-link.ts";

type Filter = Readonly<Record<string, unknown>>;

/** One collection on this side of the thread: checks queries and records, and makes them plain. */
export class SqliteRecords {
  readonly #collection: string;
  readonly #link: WorkerLink;
  readonly #declaration = new Declaration();
  #indexes: readonly (readonly string[])[] = [];

  constructor(collection: string, link: WorkerLink) {
    this.#collection = collection;
    this.#link = link;
  }

  declare(indexes: readonly (readonly string[])[]): void {
    this.#indexes = [...new Map([...this.#indexes, ...indexes].map((index) => [JSON.stringify(index), index])).values()];
    this.#declaration.renew();
    this.#prepare();
  }

  async get(id: string): Promise<Stored<Entity> | undefined> {
    this.#prepare();
    const row = await this.#link.ask("get", { collection: this.#collection, id: isStorageId(id) ? id : "" });
    return row && recordFrom(...row);
  }

  async find(filter: Filter, options?: FindOptions<Entity>): Promise<readonly Stored<Entity>[]> {
    const plan = this.#plan(filter, options);
    this.#prepare();
    const rows = await this.#link.ask("find", { collection: this.#collection, plan });
    return rows.map((row) => recordFrom(...row));
  }

  async count(filter: Filter): Promise<number> {
    const plan = this.#plan(filter);
    this.#prepare();
    return this.#link.ask("count", { collection: this.#collection, plan });
  }

  /** A write as the worker takes it. Throws AppError for a record or a filter that cannot be. */
  plain(write: Write): PlainWrite {
    this.#prepare();
    const collection = this.#collection;
    if ("deleteWhere" in write) return { collection, deleteWhere: this.#plan(write.deleteWhere) };
    const condition = write.ifVersion === undefined ? {} : { ifVersion: write.ifVersion };
    if ("put" in write) return { collection, put: write.put.id, text: recordText(write.put), ...condition };
    return { collection, delete: isStorageId(write.delete) ? write.delete : "", ...condition };
  }

  #plan(filter: Filter, options?: FindOptions<Entity>): FindPlan {
    return planFind({ collection: this.#collection, indexes: this.#indexes, filter, options });
  }

  #prepare(): void {
    this.#declaration.send(() => this.#link.ask("declare", { collection: this.#collection, indexes: this.#indexes }));
  }
}
