import { Declaration, idToFind } from "@pergola/kit-storage";
import { defined, indexValueOf, mergeIndexes, planFind, recordFrom, recordText } from "@pergola/sdk";
import type { Entity, FindOptions, FindPlan, IndexValue, Stored, Write } from "@pergola/sdk";
import type { PlainWrite, Row } from "./messages.ts";
import type { WorkerLink } from "./worker-link.ts";

/** The most records that are taken at once. */
const step = 1000;

/** Characters from which on a record moves to the worker instead of being copied. */
const long = 65_536;

function movable(text: string): string | Uint8Array<ArrayBuffer> {
  if (text.length < long) return text;
  return new TextEncoder().encode(text);
}

type Filter = Readonly<Record<string, unknown>>;

/** One collection on this side of the thread: checks queries and records, and makes them plain. */
export class SqliteRecords {
  readonly #collection: string;
  readonly #link: WorkerLink;
  readonly #declaration = new Declaration();
  #indexes: readonly (readonly string[])[] = [];
  /** Those that the indexes are on. */
  #fields: ReadonlySet<string> = new Set();

  constructor(collection: string, link: WorkerLink) {
    this.#collection = collection;
    this.#link = link;
  }

  declare(indexes: readonly (readonly string[])[]): void {
    const all = mergeIndexes(this.#indexes, indexes);
    if (all.length > this.#indexes.length) this.#declaration.renew();
    this.#indexes = all;
    this.#fields = new Set(all.flat());
    this.#prepare();
  }

  async get(id: string): Promise<Stored<Entity> | undefined> {
    this.#prepare();
    const row = await this.#link.ask("get", { collection: this.#collection, id: idToFind(id) });
    return row && recordFrom(...row);
  }

  /** Takes many records in several steps, so that neither thread stands still for them. */
  async find(filter: Filter, options?: FindOptions<Entity>): Promise<readonly Stored<Entity>[]> {
    const plan = this.#plan(filter, options);
    this.#prepare();
    const found: Stored<Entity>[] = [];
    for (let next: FindPlan | undefined = plan; next !== undefined; next = planAfter(plan, found)) {
      const rows: readonly Row[] = await this.#link.ask("find", {
        collection: this.#collection,
        plan: { ...next, limit: Math.min(next.limit, step) },
      });
      found.push(...rows.map((row) => recordFrom(...row)));
      if (rows.length < step) break;
    }
    return found;
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
    const condition = defined({ ifVersion: write.ifVersion });
    if ("put" in write)
      return {
        collection,
        put: write.put.id,
        text: movable(recordText(write.put)),
        columns: this.#columnsOf(write.put),
        ...condition,
      };
    return { collection, delete: idToFind(write.delete), ...condition };
  }

  #columnsOf(record: Entity): Readonly<Record<string, IndexValue>> {
    const columns: Record<string, IndexValue> = {};
    for (const field of this.#fields) columns[field] = indexValueOf(record, field);
    return columns;
  }

  #plan(filter: Filter, options?: FindOptions<Entity>): FindPlan {
    return planFind({
      collection: this.#collection,
      indexes: this.#indexes,
      filter,
      options,
    });
  }

  #prepare(): void {
    this.#declaration.send(() =>
      this.#link.ask("declare", { collection: this.#collection, indexes: this.#indexes }),
    );
  }
}

/** What is left of a plan after the records that were found; undefined when nothing is. */
function planAfter(plan: FindPlan, found: readonly Entity[]): FindPlan | undefined {
  const last = found.at(-1);
  if (last === undefined || found.length >= plan.limit) return undefined;
  const value = indexValueOf(last, plan.order.field);
  return {
    ...plan,
    after: { value, id: last.id },
    offset: 0,
    limit: plan.limit - found.length,
  };
}
