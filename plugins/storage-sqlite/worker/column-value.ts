import { indexValueOf } from "@pergola/sdk";
import type { IndexValue } from "@pergola/sdk";

const booleans = [Buffer.from([0]), Buffer.from([1])] as const;

/** What an index column or a bound parameter holds. */
export type ColumnValue = number | string | Buffer;

/**
 * How index columns are declared: of no type, so that values stay what they are, and by default null's
 * stand-in.
 */
export const columnType = "NOT NULL DEFAULT -9e999";

/**
 * An index value in a form that SQLite keeps in the order of the contract: null as −∞ (which JSON does not
 * have), then numbers, text, and booleans as single bytes. Columns hold no SQL NULL, so equality, ranges and
 * row values need no special case.
 */
export function columnValue(value: IndexValue): ColumnValue {
  if (value === null || Number.isNaN(value)) return -Infinity;
  if (typeof value === "boolean") return booleans[Number(value) as 0 | 1];
  return value;
}

export const columnOf = (record: object, field: string): ColumnValue =>
  columnValue(indexValueOf(record, field));
