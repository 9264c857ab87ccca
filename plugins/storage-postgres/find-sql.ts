import type { FieldCondition, FindPlan, IndexValue } from "@pergola/sdk";
import { typeRank } from "@pergola/sdk";
import { indexKey, keyRange } from "./index-key.ts";

/** Gives a value its place among the parameters of a statement, as `$1`. */
export type Bind = (value: unknown) => string;

/** Collects the parameters of a statement. */
export function parameters(): { readonly values: unknown[]; readonly bind: Bind } {
  const values: unknown[] = [];
  return { values, bind: (value) => `$${values.push(value)}` };
}

/** The conditions of a plan, its keyset position among them. `columnOf` names the column of a field. */
export function whereSql(plan: FindPlan, columnOf: (field: string) => string, bind: Bind): string {
  const parts = plan.conditions
    .map((condition) => conditionSql(columnOf(condition.field), condition, bind))
    .concat(afterSql(plan, columnOf, bind))
    .filter((part) => part !== "");
  if (parts.length === 0) return "";
  return ` WHERE ${parts.join(" AND ")}`;
}

export function orderSql({ order }: FindPlan, columnOf: (field: string) => string): string {
  const columns = [...new Set([columnOf(order.field), "key"])];
  if (order.descending) return ` ORDER BY ${columns.join(" DESC, ")} DESC`;
  return ` ORDER BY ${columns.join(", ")}`;
}

function afterSql({ after, order }: FindPlan, columnOf: (field: string) => string, bind: Bind): string {
  if (after === undefined) return "";
  const column = columnOf(order.field);
  const sign = order.descending ? "<" : ">";
  if (column === "key") return `key ${sign} ${bind(indexKey(after.id))}`;
  return `(${column}, key) ${sign} (${bind(indexKey(after.value))}, ${bind(indexKey(after.id))})`;
}

function conditionSql(column: string, condition: FieldCondition, bind: Bind): string {
  if (!("anyOf" in condition)) return rangeSql(column, condition, bind);
  const keys = condition.anyOf.map(indexKey);
  if (keys.length === 1) return `${column} = ${bind(keys[0])}`;
  return `${column} = ANY (${bind(keys)}::bytea[])`;
}

/** A range holds values of its bounds' type only; the side without a bound ends where the type ends. */
function rangeSql(
  column: string,
  { gte, lt }: { readonly gte?: IndexValue; readonly lt?: IndexValue },
  bind: Bind,
): string {
  const [rank, ...others] = [gte, lt].filter((bound) => bound !== undefined).map(typeRank);
  if (rank === undefined) return "";
  if (others.some((other) => other !== rank)) return "FALSE";
  const type = keyRange(rank);
  const from = gte === undefined ? type.from : indexKey(gte);
  const before = lt === undefined ? type.before : indexKey(lt);
  return `${column} >= ${bind(from)} AND ${column} < ${bind(before)}`;
}
