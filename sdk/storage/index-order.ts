import type { IndexValue } from "../contract/storage.ts";

const ranks: Readonly<Record<string, number>> = { number: 1, string: 2, boolean: 3 };

/** The place of a value's type in the order of index values; values of one type compare with each other. */
export const typeRank = (value: IndexValue): number => ranks[typeof value] ?? 0;

/** Order of text in every backend: by its UTF-8 bytes, which is the order of its code points. */
const compareCodePoints = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * The order of index values, the same in every backend: null, numbers, text by code points, false, true.
 * Negative when `a` comes first, 0 when they are equal.
 */
export function compareIndexValues(a: IndexValue, b: IndexValue): number {
  const byType = typeRank(a) - typeRank(b);
  if (byType !== 0) return byType;
  if (typeof a === "string") return compareCodePoints(a, b as string);
  return Number(a) - Number(b);
}

/**
 * What an index holds for a record's field: its scalar; null when it is absent, a list, an object, or a
 * number that JSON cannot carry.
 */
export function indexValueOf(record: object, field: string): IndexValue {
  const value: unknown = Object.hasOwn(record, field)
    ? (record as Readonly<Record<string, unknown>>)[field]
    : null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Number.isFinite(value)) return value as number;
  return null;
}
