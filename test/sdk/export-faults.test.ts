import { expect } from "chai";
import { exportFaults } from "@pergola/sdk/host";

const operation = {
  name: "roll",
  description: "Rolls.",
  effect: "none",
  parameters: {},
  required: [],
  run: () => ({ data: 1 }),
};
const faultsOf = (...operations: readonly object[]): readonly string[] =>
  exportFaults({ tools: [{ name: "dice", description: "Dice.", operations }] });

describe("faults of what a plugin exports", () => {
  it("finds recovery reconcile without its function", () => {
    expect(faultsOf({ ...operation, recovery: "reconcile" }).join()).to.match(/needs the function reconcile/);
    const reconcile = (): Promise<string> => Promise.resolve("unknown");
    expect(faultsOf({ ...operation, recovery: "reconcile", reconcile })).to.deep.equal([]);
  });

  it("names a doubled operation once", () => {
    expect(faultsOf(operation, operation, operation)).to.deep.equal([
      "dice.roll is there more than once; give each operation its own name",
    ]);
    expect(faultsOf(operation, { ...operation, name: "throw" })).to.deep.equal([]);
  });
});
