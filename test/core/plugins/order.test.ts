import { expect } from "chai";
import type { FoundPlugin } from "../../../core/plugins/discover.ts";
import { orderPlugins } from "../../../core/plugins/order.ts";

const order = (needs: Readonly<Record<string, readonly string[]>>) => {
  const { ordered, faults } = orderPlugins(
    Object.entries(needs).map(([id, after]) => ({ id, after }) as unknown as FoundPlugin),
  );
  return {
    ordered: ordered.map(({ id }) => id).join(" "),
    faults: Object.fromEntries(faults.map(({ plugin, message }) => [plugin, message])),
  };
};

describe("the order of plugins", () => {
  it("keeps the order in which they were named where nothing speaks against it", () => {
    expect(order({ c: [], a: [], b: [] }).ordered).to.equal("c a b");
  });

  it("puts each after all that it names", () => {
    expect(order({ a: ["b", "c"], b: ["d"], c: [], d: [] }).ordered).to.equal("d b c a");
  });

  it("names what is missing, and leaves out whoever needs those left out", () => {
    const { ordered, faults } = order({ a: ["gone"], b: ["a"], c: [] });
    expect(ordered).to.equal("c");
    expect(faults["a"]).to.equal("a, order: it must come after gone, which is not there");
    expect(faults["b"]).to.equal("b, order: it must come after a, which is left out");
  });

  it("names a cycle once around", () => {
    const { ordered, faults } = order({ a: ["b"], b: ["c"], c: ["a"], d: [] });
    expect(ordered).to.equal("d");
    expect(Object.keys(faults)).to.have.members(["a", "b", "c"]);
    expect(faults["a"]).to.equal("a, order: it waits for itself: a → b → c → a");
  });

  it("a plugin that comes after itself is a cycle too", () => {
    expect(order({ a: ["a"] }).faults["a"]).to.equal("a, order: it waits for itself: a → a");
  });
});
