import { compareIndexValues, typeRank } from "@pergola/sdk";
import type { FieldCondition, IndexValue } from "@pergola/sdk";

/**
 * Whether a value lies on the wanted side of a bound. A bound speaks only of values of its own type: null is
 * not less than a number.
 */
const within = (
  value: IndexValue,
  bound: IndexValue | undefined,
  test: (order: number) => boolean,
): boolean =>
  bound === undefined || (typeRank(value) === typeRank(bound) && test(compareIndexValues(value, bound)));

/** Whether a record's index value meets one field of a filter. */
export function meets(value: IndexValue, condition: FieldCondition): boolean {
  if ("anyOf" in condition) return condition.anyOf.some((wanted) => compareIndexValues(value, wanted) === 0);
  return (
    within(value, condition.gte, (order) => order >= 0) && within(value, condition.lt, (order) => order < 0)
  );
}
