import { expect } from "chai";
import { sumOfCost } from "../wire/run-cost.ts";

describe("the cost of a run", () => {
  it("has no dust of binary fractions, however many calls it is the sum of", () => {
    expect(sumOfCost(0.1, 0.2)).to.equal(0.3);
    const calls = [2.45, 1.2295, 1.2295];
    expect(calls.reduce(sumOfCost, 0)).to.equal(4.909);
  });

  it("keeps the price of one token of a cheap model", () => {
    expect(sumOfCost(0, 1e-9)).to.equal(1e-9);
    expect(sumOfCost(1234.5, 1e-9)).to.equal(1234.500000001);
  });
});
