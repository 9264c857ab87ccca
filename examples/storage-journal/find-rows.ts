import { compareIndexValues, indexValueOf, typeRank } from "@pergola/sdk";
import type { FieldCondition, FindPlan, IndexValue } from "@pergola/sdk";
import type { Row } from "./journal.ts";

interface Place {
  readonly value: IndexValue;
  readonly id: string;
}

/** The rows that meet every condition of the plan, in no order. */
export const matchingRows = (rows: readonly Row[], { conditions }: FindPlan): readonly Row[] =>
  rows.filter((row) =>
    conditions.every((condition) => meets(indexValueOf(row.value as object, condition.field), condition)),
  );

/** One page of the rows that the plan asks for. */
export function findRows(rows: readonly Row[], plan: FindPlan): readonly Row[] {
  const { order, after, offset, limit } = plan;
  const sign = order.descending ? -1 : 1;
  const compare = (a: Place, b: Place): number =>
    sign * (compareIndexValues(a.value, b.value) || compareIndexValues(a.id, b.id));
  return matchingRows(rows, plan)
    .map((row) => ({ row, id: row.id, value: indexValueOf(row.value as object, order.field) }))
    .filter((place) => after === undefined || compare(place, after) > 0)
    .sort(compare)
    .slice(offset, offset + limit)
    .map(({ row }) => row);
}

function meets(value: IndexValue, condition: FieldCondition): boolean {
  if ("anyOf" in condition) return condition.anyOf.some((wanted) => compareIndexValues(value, wanted) === 0);
  const { gte, lt } = condition;
  return (
    (gte === undefined || (isSameType(value, gte) && compareIndexValues(value, gte) >= 0)) &&
    (lt === undefined || (isSameType(value, lt) && compareIndexValues(value, lt) < 0))
  );
}

/** A range holds values of its bounds' type only: null is not less than a number. */
const isSameType = (a: IndexValue, b: IndexValue): boolean => typeRank(a) === typeRank(b);
