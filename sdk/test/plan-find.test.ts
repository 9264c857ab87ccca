import { expect } from "chai";
import { indexLists, mergeIndexes, planFind } from "@pergola/sdk";

const indexes = indexLists({
  indexes: [["conversation", "seq"], "conversation", ["conversation", "visible", "seq"], "seq"],
});
const plan = (filter: Readonly<Record<string, unknown>>, options?: object) =>
  planFind({ collection: "messages", indexes, filter, options });

describe("planFind", () => {
  const choices: readonly (readonly [
    string,
    Readonly<Record<string, unknown>>,
    object,
    readonly string[],
  ])[] = [
    ["the order of ids for nothing at all", {}, {}, []],
    ["ids by themselves", { id: "a" }, {}, []],
    ["the shortest index whose leading fields are the filter", { conversation: "c" }, {}, ["conversation"]],
    [
      "the index that goes on with the order",
      { conversation: "c" },
      { order: "-seq" },
      ["conversation", "seq"],
    ],
    [
      "the index with most fields of the filter",
      { conversation: "c", visible: true },
      { order: "seq" },
      ["conversation", "visible", "seq"],
    ],
    ["the order's own index when there is no filter", {}, { order: "seq" }, ["seq"]],
    [
      "the leading fields, the rest left to be checked",
      { conversation: "c", seq: 1, visible: true },
      {},
      ["conversation", "visible", "seq"],
    ],
  ];
  for (const [what, filter, options, index] of choices) {
    it(`takes ${what}`, () => expect(plan(filter, options).index).to.deep.equal(index));
  }

  it("turns every form of a filter into conditions, and `after` into a place in the order", () => {
    const options = { order: "-seq", after: { id: "m", seq: 7, version: 1 }, offset: -3, limit: 10 };
    expect(
      plan({ conversation: "c", visible: { in: [true, null] }, seq: { gte: 1, lt: undefined } }, options),
    ).to.deep.equal({
      index: ["conversation", "visible", "seq"],
      conditions: [
        { field: "conversation", anyOf: ["c"] },
        { field: "visible", anyOf: [true, null] },
        { field: "seq", gte: 1 },
      ],
      order: { field: "seq", descending: true },
      after: { value: 7, id: "m" },
      offset: 0,
      limit: 10,
    });
  });

  const refused: readonly (readonly [Readonly<Record<string, unknown>>, object, RegExp])[] = [
    [{ title: "x" }, {}, /messages: no index is declared on title/],
    [{}, { order: "title" }, /no index is declared on title/],
    [{ visible: true }, {}, /no index begins with visible/],
    [{}, { order: "visible" }, /no index begins with visible/],
    [{ seq: undefined }, {}, /the filter on seq is neither/],
    [{ seq: { gt: 1 } }, {}, /the filter on seq is neither/],
    [{ seq: { in: [1], lt: 2 } }, {}, /the filter on seq is neither/],
    [{ seq: { in: [{}] } }, {}, /the filter on seq is neither/],
    [{ seq: { gte: {} } }, {}, /the filter on seq is neither/],
  ];
  for (const [filter, options, message] of refused) {
    it(`refuses ${JSON.stringify({ ...filter, ...options })}: ${message.source}`, () =>
      expect(() => plan(filter, options)).to.throw(message));
  }

  it("counts an index once, however often it is declared", () => {
    expect(mergeIndexes([["a"], ["a", "b"]], [["a"], ["b"]])).to.deep.equal([["a"], ["a", "b"], ["b"]]);
  });
});
