import type { Entity, IndexValue } from "../contract/storage.ts";
import { compareIndexValues, indexValueOf, typeRank } from "./index-order.ts";
import type { FieldCondition, FindPlan } from "./plan-find.ts";

interface Position {
  readonly value: IndexValue;
  readonly id: string;
}

/** A range holds values of its bounds' type only: null is not less than a number. */
const isSameType = (a: IndexValue, b: IndexValue): boolean => typeRank(a) === typeRank(b);

function meets(value: IndexValue, condition: FieldCondition): boolean {
  if ("anyOf" in condition) return condition.anyOf.some((choice) => compareIndexValues(value, choice) === 0);
  const { gte, lt } = condition;
  return (
    (gte === undefined || (isSameType(value, gte) && compareIndexValues(value, gte) >= 0)) &&
    (lt === undefined || (isSameType(value, lt) && compareIndexValues(value, lt) < 0))
  );
}

const ascending = (a: Position, b: Position): number =>
  compareIndexValues(a.value, b.value) || compareIndexValues(a.id, b.id);

const descending = (a: Position, b: Position): number => ascending(b, a);

/**
 * Carries out a plan over rows in memory: filters them, puts them in order, and returns one page of them.
 * `recordOf` gives the record of a row. To count or delete everything that matches, plan without a limit
 * (`Infinity`).
 */
export function findByPlan<T>(
  rows: readonly T[],
  { conditions, order, after, offset, limit }: FindPlan,
  recordOf: (row: T) => Entity,
): readonly T[] {
  const compare = order.descending ? descending : ascending;
  return rows
    .map((row) => ({ row, record: recordOf(row) }))
    .filter(({ record }) =>
      conditions.every((condition) => meets(indexValueOf(record, condition.field), condition)),
    )
    .map(({ row, record }) => ({ row, value: indexValueOf(record, order.field), id: record.id }))
    .filter((position) => after === undefined || compare(position, after) > 0)
    .sort(compare)
    .slice(offset, offset + limit)
    .map(({ row }) => row);
}
