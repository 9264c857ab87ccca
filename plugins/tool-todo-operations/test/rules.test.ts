import { expect } from "chai";
import fc from "fast-check";
import { findCycle } from "../find-cycle.ts";
import { failure, item, list } from "./lists.ts";

const refusals = [
  ["an unknown dependency", [item(1, { dependencies: [9] })], "To-do 1 depends on 9"],
  ["a to-do that depends on itself", [item(1, { dependencies: [1] })], "1 → 1"],
  ["a circle of two", [item(1, { dependencies: [2] }), item(2, { dependencies: [1] })], "1 → 2 → 1"],
  [
    "a circle behind others",
    [item(1, { dependencies: [2] }), item(2, { dependencies: [3] }), item(3, { dependencies: [2] })],
    "2 → 3 → 2",
  ],
  [
    "a block without a reason",
    [item(1, { status: "blocked", blockedReason: " " })],
    "without a blockedReason",
  ],
  [
    "two in progress",
    [item(1, { status: "in-progress" }), item(2, { status: "in-progress" })],
    "not 1 and 2",
  ],
  ["the same id twice", [item(1), item(1)], "The id 1 stands for more"],
  ["a blank title", [item(1, { title: " " })], "To-do 1 has no title"],
  ["more than 500", Array.from({ length: 501 }, (_, index) => item(index + 1)), "at most 500"],
] as const;

describe("the rules of a to-do list", () => {
  for (const [what, todos, reason] of refusals) {
    it(`T20: refuse ${what} before any change`, async () => {
      const { write, stored } = list();
      await write(item(7));
      const { code, message, hint } = await failure(write(item(7), ...todos));
      expect(code).to.equal("invalid_value");
      expect(message).to.contain(reason);
      expect(hint).to.match(/^Nothing was changed\./);
      expect(await stored()).to.deep.equal([item(7)]);
    });
  }

  it("tell all faults at once", async () => {
    const { message } = await failure(list().write(item(1, { status: "blocked", dependencies: [9] })));
    expect(message).to.match(/depends on 9.*without a blockedReason/);
  });

  it("T20: refuse a list that leaves out a completed to-do", async () => {
    const { write, stored } = list();
    await write(item(1, { status: "completed" }));
    const { message, hint } = await failure(write(item(2)));
    expect(message).to.equal('The completed to-do 1 "Step 1" is missing.');
    expect(hint).to.contain("write it again");
    expect(await stored()).to.deep.equal([item(1, { status: "completed" })]);
  });

  it("T5: allow a list that keeps a completed to-do and reopens it", async () => {
    const { write, stored } = list();
    await write(item(1, { status: "completed" }), item(2, { status: "completed" }));
    await write(item(1, { status: "in-progress" }), item(2, { status: "completed" }), item(3));
    expect((await stored()).map(({ status }) => status)).to.deep.equal([
      "in-progress",
      "completed",
      "not-started",
    ]);
  });

  it("allow many on the same one, blocks with a reason and one in progress", async () => {
    const todos = [
      item(1, { status: "in-progress" }),
      item(2, { dependencies: [1] }),
      item(3, { dependencies: [1, 2] }),
      item(4, { status: "blocked", blockedReason: "No key" }),
    ];
    const { write, stored } = list();
    await write(...todos);
    expect(await stored()).to.deep.equal(todos);
  });
});

describe("findCycle", () => {
  const graphs = fc.array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 8, maxLength: 8 });

  it("finds a circle exactly where taking away what needs nothing leaves something", () => {
    fc.assert(
      fc.property(graphs, (needs) => {
        const left = new Map(needs.map((to, node) => [node, to]));
        const free = (): number | undefined =>
          [...left].find(([, to]) => to.every((need) => !left.has(need)))?.[0];
        for (let node = free(); node !== undefined; node = free()) left.delete(node);
        const cycle = findCycle(new Map(needs.map((to, node) => [node, to])));
        expect(cycle !== undefined).to.equal(left.size > 0);
        for (const [index, node] of (cycle ?? []).entries())
          expect(needs[node]).to.include(cycle?.[(index + 1) % cycle.length]);
      }),
    );
  });

  it("takes a chain of 100,000 without running out of stack or time", () => {
    const chain = Array.from({ length: 100_000 }, (_, node) => [node, [node + 1]] as const);
    expect(findCycle(new Map(chain))).to.equal(undefined);
  });
});
