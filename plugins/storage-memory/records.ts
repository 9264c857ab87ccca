import {
  AppError,
  compareIndexValues,
  indexValueOf,
  mergeIndexes,
  planFind,
  recordFrom,
  recordText,
} from "@pergola/sdk";
import type { Change, Entity, FindOptions, FindPlan, IndexValue, Stored, Write } from "@pergola/sdk";
import { meets } from "./meets.ts";

interface Row {
  readonly version: number;
  readonly text: string;
  /** For comparisons only; callers get copies. */
  readonly record: Entity;
}

/** A change that was made, and the way back. */
export interface Written {
  readonly change: Change;
  readonly undo: () => void;
}

type Filter = Readonly<Record<string, unknown>>;

const copyOf = ({ text, version }: Row): Stored<Entity> => recordFrom(text, version);

/** The records of one collection, kept as JSON text, so that nobody outside holds a piece of the store. */
export class Records {
  readonly #collection: string;
  readonly #rows = new Map<string, Row>();
  #indexes: readonly (readonly string[])[] = [];

  constructor(collection: string) {
    this.#collection = collection;
  }

  declare(indexes: readonly (readonly string[])[]): void {
    this.#indexes = mergeIndexes(this.#indexes, indexes);
  }

  get(id: string): Stored<Entity> | undefined {
    const row = this.#rows.get(id);
    return row && copyOf(row);
  }

  find(filter: Filter, options?: FindOptions<Entity>): readonly Stored<Entity>[] {
    const plan = this.#plan(filter, options);
    const { order, after, offset, limit } = plan;
    const sign = order.descending ? -1 : 1;
    const compare = (a: { value: IndexValue; id: string }, b: { value: IndexValue; id: string }): number =>
      sign * (compareIndexValues(a.value, b.value) || compareIndexValues(a.id, b.id));
    return this.#matching(plan)
      .map((row) => ({ row, value: indexValueOf(row.record, order.field), id: row.record.id }))
      .filter((place) => after === undefined || compare(place, after) > 0)
      .sort(compare)
      .slice(offset, offset + limit)
      .map(({ row }) => copyOf(row));
  }

  count(filter: Filter): number {
    return this.#matching(this.#plan(filter)).length;
  }

  /** Carries out one write and says what changed. Throws AppError `conflict` when its condition fails. */
  write(write: Write): readonly Written[] {
    if ("deleteWhere" in write)
      return this.#matching(this.#plan(write.deleteWhere)).map(({ record }) =>
        this.#set(record.id, undefined),
      );
    const id = "put" in write ? write.put.id : write.delete;
    const version = this.#rows.get(id)?.version ?? 0;
    if (write.ifVersion !== undefined && write.ifVersion !== version) throw conflict(this.#collection, id);
    if ("put" in write) return [this.#set(id, rowOf(write.put, version + 1))];
    return version === 0 ? [] : [this.#set(id, undefined)];
  }

  #set(id: string, row: Row | undefined): Written {
    const before = this.#rows.get(id);
    const place = (value: Row | undefined): void =>
      void (value === undefined ? this.#rows.delete(id) : this.#rows.set(id, value));
    place(row);
    return {
      change: { collection: this.#collection, id, deleted: row === undefined },
      undo: () => place(before),
    };
  }

  #matching({ conditions }: FindPlan): readonly Row[] {
    return [...this.#rows.values()].filter(({ record }) =>
      conditions.every((condition) => meets(indexValueOf(record, condition.field), condition)),
    );
  }

  #plan(filter: Filter, options?: FindOptions<Entity>): FindPlan {
    return planFind({ collection: this.#collection, indexes: this.#indexes, filter, options });
  }
}

function rowOf(record: Entity, version: number): Row {
  const text = recordText(record);
  return { version, text, record: JSON.parse(text) as Entity };
}

const conflict = (collection: string, id: string): AppError =>
  new AppError({
    code: "conflict",
    message: "The record was changed by somebody else in the meantime.",
    details: { collection, id },
  });
