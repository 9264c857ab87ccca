import { expect } from "chai";
import { isTest, linesOf, sources } from "./tree.ts";

const all = (): readonly string[] =>
  ["core", "sdk", "plugins", "examples", "scripts", "test"].flatMap(sources);

describe("sizes", () => {
  it("keeps files small: no file over 300 lines, tests among them, and the median of the others under 80", () => {
    const sizes = all()
      .filter((file) => !isTest(file))
      .map(linesOf)
      .toSorted((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).to.be.below(80);
    expect(all().filter((file) => linesOf(file) > 300)).to.deep.equal([]);
  });
});
