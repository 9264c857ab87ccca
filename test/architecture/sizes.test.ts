import { expect } from "chai";
import { isTest, linesOf, sources } from "./tree.ts";

const product = (): readonly string[] =>
  ["core", "sdk", "plugins", "examples"].flatMap(sources).filter((file) => !isTest(file));

describe("sizes", () => {
  it("keeps files small: the median under 80 lines, none over 300", () => {
    const sizes = product()
      .map(linesOf)
      .toSorted((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).to.be.below(80);
    expect(product().filter((file) => linesOf(file) > 300)).to.deep.equal([]);
  });
});
