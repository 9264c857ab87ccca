import {
  AppError,
  type Collection,
  type Entity,
  type Filter,
  type FindOptions,
  type IndexValue,
  type Stored,
} from "@pergola/sdk";

type Condition = Filter<Entity>[keyof Entity];

const compare = (a: unknown, b: unknown): number => {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  return a < b ? -1 : 1;
};

function meets(value: IndexValue, condition: Condition): boolean {
  if (condition === undefined) return true;
  if (condition === null || typeof condition !== "object") return (value ?? null) === condition;
  if ("in" in condition) return condition.in.includes(value);
  const { gte, lt } = condition;
  return (gte === undefined || compare(value, gte) >= 0) && (lt === undefined || compare(value, lt) < 0);
}

/** A collection in memory, for tests of operations. Unlike a backend it does not ask for declared indexes. */
export function memoryCollection<T extends Entity>(): Collection<T> {
  const records = new Map<string, Stored<T>>();

  const matching = (filter: Filter<T>): Stored<T>[] =>
    [...records.values()].filter((record) =>
      Object.entries(filter).every(([field, condition]) =>
        meets(record[field as keyof T] as IndexValue, condition as Condition),
      ),
    );

  return {
    get: async (id) => structuredClone(records.get(id)),
    async put(record, { ifVersion } = {}) {
      const version = (records.get(record.id)?.version ?? 0) + 1;
      if (ifVersion !== undefined && ifVersion !== version - 1)
        throw new AppError({ code: "conflict", message: "The record has changed in the meantime." });
      records.set(record.id, structuredClone({ ...record, version }));
    },
    delete: async (id) => records.delete(id),
    find: async (filter, options = {}) => structuredClone(pageOf(matching(filter), options)),
    count: async (filter) => matching(filter).length,
  };
}

function pageOf<T extends Entity>(
  found: readonly Stored<T>[],
  options: FindOptions<T>,
): readonly Stored<T>[] {
  const { order = "id", after, offset = 0, limit = 1000 } = options;
  const field = order.replace(/^-/, "") as keyof T;
  const sign = order.startsWith("-") ? -1 : 1;
  const byOrder = (a: T, b: T): number => sign * (compare(a[field], b[field]) || compare(a.id, b.id));
  const sorted = found.toSorted(byOrder);
  const rest = after === undefined ? sorted : sorted.filter((record) => byOrder(record, after) > 0);
  return rest.slice(offset, offset + limit);
}
