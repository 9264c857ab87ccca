import { expect } from "chai";
import fc from "fast-check";
import { compareIndexValues, type IndexValue } from "@pergola/sdk";
import { idOfKey, indexKey } from "../index-key.ts";

const value: fc.Arbitrary<IndexValue> = fc.oneof(
  fc.constantFrom(null, true, false, 0, -0, 1, -1, 1.5, 1e300, -1e300, 5e-324, "", "0", "é", "\uffff", "😀"),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: "binary" }),
);

describe("the keys of index values", () => {
  it("have the order of the values", () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const order = Math.sign(Buffer.compare(indexKey(a), indexKey(b)));
        expect(order).to.equal(Math.sign(compareIndexValues(a, b)));
      }),
      { numRuns: 2000 },
    );
  });

  it("tell long texts apart, and are short enough for an index", () => {
    const [a, b] = ["a", "b"].map((end) => indexKey(`${"x".repeat(5000)}${end}`));
    expect(a!.equals(b!)).to.equal(false);
    expect(a!.length).to.be.below(500);
    expect(idOfKey(indexKey("an id"))).to.equal("an id");
  });
});
