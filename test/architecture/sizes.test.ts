import { expect } from "chai";
import { isTest, linesOf, sources } from "./tree.ts";

const product = (): readonly string[] => ["core", "sdk", "plugins", "examples"].flatMap(sources).filter((file) => !isTest(file));

describe("sizes", () => {
  it("keeps core small: under 2,500 lines aside from the command line", () => {
    const core = sources("core").filter((file) => !file.startsWith("core/cli/") && !isTest(file));
    expect(core.map(linesOf).reduce((sum, lines) => sum + lines, 0)).to.be.below(2500);
  });

  it("keeps files small: the median under 80 lines, none over 250", () => {
    const sizes = product()
      .map(linesOf)
      .toSorted((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).to.be.below(80);
    expect(product().filter((file) => linesOf(file) > 250)).to.deep.equal([]);
  });
});
