import { AppError } from "../contract/errors.ts";
import type { CollectionOptions, Entity, FindOptions, IndexValue } from "../contract/storage.ts";
import { defined } from "../util/defined.ts";
import { isObject } from "../util/is-object.ts";
import { indexValueOf } from "./index-order.ts";

/** One field of a filter: one of several values, or a range of values of the bounds' own type. */
export type FieldCondition =
  | { readonly field: string; readonly anyOf: readonly IndexValue[] }
  | { readonly field: string; readonly gte?: IndexValue; readonly lt?: IndexValue };

/** A query as a backend carries it out. */
export interface FindPlan {
  /**
   * The declared index that serves it best, without the id that ends every index; empty = the records in the
   * order of their ids.
   */
  readonly index: readonly string[];
  readonly conditions: readonly FieldCondition[];
  readonly order: { readonly field: string; readonly descending: boolean };
  /** The place in the order after which the records begin. */
  readonly after?: { readonly value: IndexValue; readonly id: string };
  readonly offset: number;
  readonly limit: number;
}

export interface PlanRequest {
  readonly collection: string;
  readonly indexes: Indexes;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly options?: FindOptions<Entity>;
}

type Refuse = (reason: string) => AppError;
type Indexes = readonly (readonly string[])[];

/** Every index as a list of fields. */
export const indexLists = ({ indexes }: CollectionOptions): Indexes => indexes.map((index) => [index].flat());

/** The indexes of several declarations, each once. */
export const mergeIndexes = (...declared: readonly Indexes[]): Indexes => [
  ...new Map(declared.flat().map((index) => [JSON.stringify(index), index])).values(),
];

/**
 * Checks a query against the declared indexes and says how to carry it out; the same for every backend, so
 * that a query accepted by one is accepted by all. Throws AppError `internal_error` for a filter or an order
 * that no index begins with: a fault of the calling code.
 */
export function planFind({ collection, indexes, filter, options = {} }: PlanRequest): FindPlan {
  const refuse: Refuse = (reason) =>
    new AppError({ code: "internal_error", message: `Collection ${collection}: ${reason}.` });
  const conditions = Object.entries(filter).map(([field, condition]) =>
    readCondition(field, condition, refuse),
  );
  const order = readOrder(options.order);
  const declared = new Set([...indexes.flat(), "id"]);
  const foreign = [...conditions.map(({ field }) => field), order.field].find(
    (field) => !declared.has(field),
  );
  if (foreign !== undefined) throw refuse(`no index is declared on ${foreign}`);
  const index = chooseIndex(indexes, conditions, order.field);
  if (index === undefined)
    throw refuse(`no index begins with ${conditions.map(({ field }) => field).join(" or ") || order.field}`);
  const { after, offset = 0, limit = 1000 } = options;
  return defined({
    index,
    conditions,
    order,
    offset: Math.max(0, offset),
    limit: Math.max(0, limit),
    after: after && { value: indexValueOf(after, order.field), id: after.id },
  });
}

function readOrder(order = "id"): FindPlan["order"] {
  return { field: order.replace(/^-/, ""), descending: order.startsWith("-") };
}

const isScalar = (value: unknown): value is IndexValue =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

function readCondition(field: string, condition: unknown, refuse: Refuse): FieldCondition {
  if (isScalar(condition)) return { field, anyOf: [condition] };
  const wrong = (): AppError =>
    refuse(`the filter on ${field} is neither a value, nor { in }, nor { gte, lt }`);
  if (!isObject(condition)) throw wrong();
  if (Object.keys(condition).some((key) => !["in", "gte", "lt"].includes(key))) throw wrong();
  const { in: anyOf, ...bounds } = defined(condition);
  const isRange = Object.values(bounds).every(isScalar);
  if (anyOf === undefined && isRange) return { field, ...bounds };
  const isChoice = Array.isArray(anyOf) && anyOf.every(isScalar) && Object.keys(bounds).length === 0;
  if (!isChoice) throw wrong();
  return { field, anyOf };
}

/**
 * The index with the most leading fields in the filter; among those one whose next field is the order; among
 * those the shortest.
 */
function chooseIndex(
  indexes: Indexes,
  conditions: readonly FieldCondition[],
  order: string,
): readonly string[] | undefined {
  const names = new Set(conditions.map(({ field }) => field));
  const candidates = [[], ...indexes].map((fields) => {
    const found = [...fields, "id"].findIndex((field) => !names.has(field));
    const leading = found === -1 ? fields.length + 1 : found;
    const sorted = names.has(order) || (fields[leading] ?? "id") === order;
    return { fields, leading, sorted };
  });
  const usable = candidates.filter(({ leading, sorted }) => leading > 0 || (names.size === 0 && sorted));
  const [best] = usable.toSorted(
    (a, b) =>
      b.leading - a.leading || Number(b.sorted) - Number(a.sorted) || a.fields.length - b.fields.length,
  );
  return best?.fields;
}
