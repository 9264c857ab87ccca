import { expect } from "chai";
import fc from "fast-check";
import { compareIndexValues, indexValueOf, planFind, recordFrom, typeRank } from "@pergola/sdk";
import type { Entity, FieldCondition, FindPlan, IndexValue } from "@pergola/sdk";
import type { Connection } from "../worker/connection.ts";
import { openConnection } from "./support/open-connection.ts";

const value: fc.Arbitrary<IndexValue> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    1e300,
    "",
    "0",
    "a",
    "é",
    "\uffff",
    "😀",
    "\ud800",
    "a\u0000b",
    "'",
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
);
const condition = fc.oneof(
  value,
  fc.record({ in: fc.array(value, { maxLength: 5 }) }),
  fc.record({ gte: value, lt: value }, { requiredKeys: [] }),
);
const record = fc.record(
  { id: fc.stringMatching(/^[a-zé😀]{1,2}$/u), a: value, b: value },
  { requiredKeys: ["id"] },
);
const question = fc.record({
  filter: fc.oneof(
    fc.record({ a: condition, b: condition }, { requiredKeys: ["a"] }),
    fc.record({ a: condition, id: condition }),
    fc.constant({}),
  ),
  order: fc.constantFrom("id", "-id", "a", "-a"),
  limit: fc.nat(10),
  offset: fc.nat(3),
  after: fc.option(record, { nil: undefined }),
});

const indexes = [["a", "b"]];

function meets(found: IndexValue, wanted: FieldCondition): boolean {
  if ("anyOf" in wanted) return wanted.anyOf.some((one) => compareIndexValues(found, one) === 0);
  const { gte, lt } = wanted;
  const isAbove =
    gte === undefined || (typeRank(found) === typeRank(gte) && compareIndexValues(found, gte) >= 0);
  return (
    isAbove && (lt === undefined || (typeRank(found) === typeRank(lt) && compareIndexValues(found, lt) < 0))
  );
}

/** The answer by definition: every record looked at, sorted, cut. */
function expected(
  records: readonly Entity[],
  { conditions, order, after, offset, limit }: FindPlan,
): readonly Entity[] {
  const sign = order.descending ? -1 : 1;
  const compare = (a: Entity, b: Entity): number =>
    sign *
    (compareIndexValues(indexValueOf(a, order.field), indexValueOf(b, order.field)) ||
      compareIndexValues(a.id, b.id));
  const start = after && { id: after.id, [order.field]: after.value };
  return records
    .filter((one) => conditions.every((wanted) => meets(indexValueOf(one, wanted.field), wanted)))
    .toSorted(compare)
    .filter((one) => start === undefined || compare(one, start) > 0)
    .slice(offset, offset + limit);
}

describe("find in SQL", () => {
  let connection: Connection;
  before(() => {
    connection = openConnection();
    connection.catalog.declare("things", indexes);
  });
  after(() => connection.database.close());

  it("answers as the definition does, for any records and any question", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(record, { selector: ({ id }) => id, maxLength: 12 }),
        question,
        (records, { filter, ...options }) => {
          connection.database.exec("DELETE FROM records_1");
          for (const one of records)
            connection.records.write({ collection: "things", put: one.id, text: JSON.stringify(one) });
          const plan = planFind({ collection: "things", indexes, filter, options: options as object });
          const found = connection.records.find("things", plan).map(([text]) => recordFrom(text, 1).id);
          const all = { ...plan, after: undefined, offset: 0, limit: 1000 };
          expect(found).to.deep.equal(expected(records, plan).map(({ id }) => id));
          expect(connection.records.count("things", all)).to.equal(expected(records, all).length);
        },
      ),
      { numRuns: 500 },
    );
  });
});
