import { expect } from "chai";
import { defined } from "../util/defined.ts";

describe("defined", () => {
  it("keeps every own field but those that are undefined, in their order", () => {
    const from = { a: 1, b: undefined, c: null, d: "", e: false };
    expect(Object.entries(defined(from))).to.deep.equal([
      ["a", 1],
      ["c", null],
      ["d", ""],
      ["e", false],
    ]);
  });

  it("makes a field of `__proto__`, and no prototype", () => {
    const copy = defined(JSON.parse('{"__proto__":{"isAdmin":true},"a":1}') as object);
    expect(Object.keys(copy)).to.deep.equal(["__proto__", "a"]);
    expect(copy).to.not.have.property("isAdmin");
  });
});
