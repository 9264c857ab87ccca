import type { FieldCondition, FindPlan, IndexValue } from "@pergola/sdk";
import { typeRank } from "@pergola/sdk";
import { columnValue, type ColumnValue } from "./column-value.ts";

/** A piece of a statement and the values of its parameters. */
export interface SqlPart {
  readonly text: string;
  readonly values: readonly ColumnValue[];
}

const nothing: SqlPart = { text: "0", values: [] };
const everything: SqlPart = { text: "", values: [] };

/** The values of each type: null, numbers, text, booleans. */
const types = [
  { from: ">= -9e999", to: "<= -9e999" },
  { from: "> -9e999", to: "< ''" },
  { from: ">= ''", to: "< x''" },
  { from: ">= x''", to: "<= x'01'" },
] as const;

/** The conditions of a plan, its keyset position among them. `columnOf` names the column of a field. */
export function whereSql(plan: FindPlan, columnOf: (field: string) => string): SqlPart {
  const parts = plan.conditions
    .map((condition) => conditionSql(columnOf(condition.field), condition))
    .concat(afterSql(plan, columnOf))
    .filter(({ text }) => text !== "");
  if (parts.length === 0) return everything;
  return {
    text: ` WHERE ${parts.map(({ text }) => text).join(" AND ")}`,
    values: parts.flatMap(({ values }) => values),
  };
}

export function orderSql({ order }: FindPlan, columnOf: (field: string) => string): string {
  const columns = [...new Set([columnOf(order.field), "id"])];
  if (order.descending) return ` ORDER BY ${columns.join(" DESC, ")} DESC`;
  return ` ORDER BY ${columns.join(", ")}`;
}

function afterSql({ after, order }: FindPlan, columnOf: (field: string) => string): SqlPart {
  if (after === undefined) return everything;
  const { value, id } = after;
  const column = columnOf(order.field);
  let sign = ">";
  if (order.descending) sign = "<";
  if (column === "id") return { text: `id ${sign} ?`, values: [id] };
  return {
    text: `(${column}, id) ${sign} (?, ?)`,
    values: [columnValue(value), id],
  };
}

function conditionSql(column: string, condition: FieldCondition): SqlPart {
  if ("anyOf" in condition) return anyOfSql(column, [...new Set(condition.anyOf)]);
  const { gte, lt } = condition;
  if (gte === undefined && lt === undefined) return everything;
  return rangeSql(column, gte, lt);
}

/** Lists are filled up to a power of two with their last value, so that few statements serve all lengths. */
function anyOfSql(column: string, anyOf: readonly IndexValue[]): SqlPart {
  if (anyOf.length === 0) return nothing;
  const values = anyOf.map(columnValue);
  if (values.length === 1) return { text: `${column} = ?`, values };
  const length = 2 ** Math.ceil(Math.log2(values.length));
  const filled = Array.from({ length }, (_, at) => values[Math.min(at, values.length - 1)]!);
  return { text: `${column} IN (${filled.map(() => "?").join(",")})`, values: filled };
}

/** A range holds values of its bounds' type only; the side without a bound ends where the type ends. */
function rangeSql(column: string, gte: IndexValue | undefined, lt: IndexValue | undefined): SqlPart {
  const bounds = [gte, lt].filter((bound) => bound !== undefined);
  const [rank = 0, ...others] = bounds.map(typeRank);
  if (others.some((other) => other !== rank)) return nothing;
  let { from, to }: Readonly<Record<"from" | "to", string>> = types[rank]!;
  if (gte !== undefined) from = ">= ?";
  if (lt !== undefined) to = "< ?";
  return {
    text: `${column} ${from} AND ${column} ${to}`,
    values: bounds.map(columnValue),
  };
}
