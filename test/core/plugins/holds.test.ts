import { expect } from "chai";
import { holds } from "../../../core/plugins/holds.ts";

const table: readonly (readonly [range: string, inside: string, outside: string])[] = [
  ["^1", "1.9.3", "2.0.0"],
  ["^1.2", "1.2.0", "1.1.9"],
  ["^1.2.3", "1.10.0", "1.2.2"],
  ["^0.2.3", "0.2.9", "0.3.0"],
  ["^0.0.3", "0.0.3", "0.0.4"],
  ["~1.2.3", "1.2.9", "1.3.0"],
  ["~1", "1.9.0", "2.0.0"],
  ["1", "1.5.0", "2.0.0"],
  ["1.x", "1.5.0", "0.9.0"],
  ["1.2.3", "1.2.3", "1.2.4"],
  [">=1.2", "3.0.0", "1.1.0"],
  ["^1 || ^3", "3.1.0", "2.0.0"],
  [">=1 <2", "1.9.0", "2.0.0"],
  ["<2", "1.0.0", "2.0.0"],
  ["1 - 2", "2.9.0", "3.0.0"],
];

describe("a range of versions (A8)", () => {
  for (const [range, inside, outside] of table) {
    it(`${range} holds ${inside} and not ${outside}`, () => {
      expect(holds(range, inside)).to.equal(true);
      expect(holds(range, outside)).to.equal(false);
    });
  }

  it("* holds everything, and what cannot be read holds nothing", () => {
    expect(holds("*", "7.0.0")).to.equal(true);
    for (const range of ["", "latest", "1.2.3.4", "workspace:*"])
      expect(holds(range, "1.0.0")).to.equal(false);
  });
});
