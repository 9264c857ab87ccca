import type { FieldCondition, FindPlan, IndexValue } from "@pergola/sdk";
import { typeRank } from "@pergola/sdk";
import { columnValue, type ColumnValue } from "./column-value.ts";

/** A piece of a statement and the values of its parameters. */
export interface SqlPart {
  readonly text: string;
  readonly values: readonly ColumnValue[];
}

const never: SqlPart = { text: "0", values: [] };

/** Where the values of each type begin and end: null, numbers, text, booleans. */
const begins = [">= -9e999", "> -9e999", ">= ''", ">= x''"];
const ends = ["<= -9e999", "< ''", "< x''", "<= x'01'"];

/** The conditions of a plan, its keyset position among them. `columnOf` names the column of a field. */
export function whereSql(
  { conditions, after, order }: FindPlan,
  columnOf: (field: string) => string,
): SqlPart {
  const parts = conditions
    .map((condition) => conditionSql(columnOf(condition.field), condition))
    .filter(({ text }) => text !== "");
  if (after !== undefined) parts.push(afterSql(columnOf(order.field), order.descending ? "<" : ">", after));
  if (parts.length === 0) return { text: "", values: [] };
  return {
    text: ` WHERE ${parts.map(({ text }) => text).join(" AND ")}`,
    values: parts.flatMap(({ values }) => values),
  };
}

export function orderSql({ order }: FindPlan, columnOf: (field: string) => string): string {
  const direction = order.descending ? " DESC" : "";
  const columns = [...new Set([columnOf(order.field), "id"])];
  return ` ORDER BY ${columns.map((column) => column + direction).join(", ")}`;
}

function afterSql(
  column: string,
  sign: "<" | ">",
  { value, id }: { readonly value: IndexValue; readonly id: string },
): SqlPart {
  if (column === "id") return { text: `id ${sign} ?`, values: [id] };
  return { text: `(${column}, id) ${sign} (?, ?)`, values: [columnValue(value), id] };
}

function conditionSql(column: string, condition: FieldCondition): SqlPart {
  if ("anyOf" in condition) return anyOfSql(column, [...new Set(condition.anyOf)]);
  const { gte, lt } = condition;
  if (gte === undefined && lt === undefined) return { text: "", values: [] };
  return rangeSql(column, gte, lt);
}

/** Lists are filled up to a power of two with their last value, so that few statements serve all lengths. */
function anyOfSql(column: string, anyOf: readonly IndexValue[]): SqlPart {
  if (anyOf.length === 0) return never;
  const values = anyOf.map(columnValue);
  if (values.length === 1) return { text: `${column} = ?`, values };
  const filling = 2 ** Math.ceil(Math.log2(values.length)) - values.length;
  const filled = [
    ...values,
    ...values.slice(-1).flatMap((last) => Array.from({ length: filling }, () => last)),
  ];
  return { text: `${column} IN (${filled.map(() => "?").join(",")})`, values: filled };
}

/** A range holds values of its bounds' type only; the side without a bound ends where the type ends. */
function rangeSql(column: string, gte: IndexValue | undefined, lt: IndexValue | undefined): SqlPart {
  const bounds = [gte, lt].filter((bound) => bound !== undefined);
  const [type = 0, ...others] = bounds.map(typeRank);
  if (others.some((other) => other !== type)) return never;
  const from = gte === undefined ? (begins[type] ?? "") : ">= ?";
  const to = lt === undefined ? (ends[type] ?? "") : "< ?";
  return { text: `${column} ${from} AND ${column} ${to}`, values: bounds.map(columnValue) };
}
