import { expect } from "chai";
import { atUnitLength } from "../unit-length.ts";

describe("vectors of the own index", () => {
  const made = (...vectors: readonly (readonly number[])[]) =>
    atUnitLength({ model: "custom/vectors", vectors: vectors.map((vector) => Float32Array.from(vector)) });

  it("M6: have length 1, whatever the provider's have", () => {
    expect(made([3, 4], [0, 2]).vectors.map((vector) => [...vector])).to.deep.equal([
      [Math.fround(0.6), Math.fround(0.8)],
      [0, 1],
    ]);
  });

  it("M6: have a direction", () => {
    expect(() => made([0, 0])).to.throw("custom/vectors gave a text a vector without a direction");
  });
});
