import { findByPlan, mergeIndexes, planFind, recordFrom, recordText, versionConflict } from "@pergola/sdk";
import type { Change, Entity, FindOptions, Stored, Write } from "@pergola/sdk";

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

const unlimited = { limit: Infinity };

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
    return this.#find(filter, options).map(copyOf);
  }

  count(filter: Filter): number {
    return this.#find(filter, unlimited).length;
  }

  /** Carries out one write and says what changed. Throws AppError `conflict` when its condition fails. */
  write(write: Write): readonly Written[] {
    if ("deleteWhere" in write)
      return this.#find(write.deleteWhere, unlimited).map(({ record }) => this.#set(record.id, undefined));
    if ("put" in write) {
      const version = this.#checkedVersion(write.put.id, write.ifVersion);
      return [this.#set(write.put.id, rowOf(write.put, version + 1))];
    }
    const version = this.#checkedVersion(write.delete, write.ifVersion);
    if (version === 0) return [];
    return [this.#set(write.delete, undefined)];
  }

  /** The version of a record, 0 = there is none. Throws AppError `conflict` unless it is `ifVersion`. */
  #checkedVersion(id: string, ifVersion: number | undefined): number {
    const version = this.#rows.get(id)?.version ?? 0;
    if (version !== (ifVersion ?? version)) throw versionConflict(this.#collection, id);
    return version;
  }

  #set(id: string, row: Row | undefined): Written {
    const before = this.#rows.get(id);
    this.#place(id, row);
    return {
      change: { collection: this.#collection, id, deleted: row === undefined },
      undo: () => this.#place(id, before),
    };
  }

  #place(id: string, row: Row | undefined): void {
    if (row === undefined) this.#rows.delete(id);
    else this.#rows.set(id, row);
  }

  #find(filter: Filter, options: FindOptions<Entity> | undefined): readonly Row[] {
    const plan = planFind({ collection: this.#collection, indexes: this.#indexes, filter, options });
    return findByPlan([...this.#rows.values()], plan, ({ record }) => record);
  }
}

const copyOf = ({ text, version }: Row): Stored<Entity> => recordFrom(text, version);

function rowOf(record: Entity, version: number): Row {
  const text = recordText(record);
  return { version, text, record: JSON.parse(text) as Entity };
}
