import { expect } from "chai";
import { jsonErrors } from "../code/json-errors.ts";

describe("jsonErrors", () => {
  for (const text of ["{}", "[]", '{"a":[{}]}', "1", "-0.5e+3", '"x\\n"', " true ", "\ufeff{}"]) {
    it(`accepts ${JSON.stringify(text)}`, () => {
      expect(jsonErrors(text, "json")).to.deep.equal([]);
    });
  }

  for (const [text, line, column] of [
    ["", 1, 1],
    ["{", 1, 2],
    ["[1,]", 1, 4],
    ["[,1]", 1, 2],
    ['{"a" 1}', 1, 6],
    ['{"a":}', 1, 6],
    ["{a:1}", 1, 2],
    ["[1 2]", 1, 4],
    ["[1]]", 1, 4],
    ["[1}", 1, 3],
    ["01", 1, 2],
    ["'x'", 1, 1],
    ['"a\nb"', 1, 1],
    ["{} x", 1, 4],
    ["// no\n{}", 1, 1],
    ['{\r\n  "a": tru\r\n}', 2, 8],
    ["[1.]", 1, 2],
    ["nul", 1, 1],
  ] as const) {
    it(`finds the fault in ${JSON.stringify(text)}`, () => {
      const [fault] = jsonErrors(text, "json");
      expect(fault).to.include({ line, column });
    });
  }

  it("agrees with the engine's own reader", () => {
    const pieces = ["{", "}", "[", "]", ",", ":", '"a"', "1", "null", " "];
    for (let seed = 0; seed < 3000; seed += 1) {
      const text = Array.from(
        { length: 1 + (seed % 7) },
        (_, index) => pieces[Math.floor(seed / 7 ** (index % 4) + index * 3) % pieces.length],
      ).join("");
      expect(jsonErrors(text, "json").length === 0, text).to.equal(isValid(text));
    }
  });

  it("takes comments and trailing commas where they are usual", () => {
    const text = '/* a */ { // b\n "x": [1, 2,], }';
    expect(jsonErrors(text, "jsonc")).to.deep.equal([]);
    expect(jsonErrors(text, "json")).to.have.length(1);
    expect(jsonErrors("[,]", "jsonc")).to.have.length(1);
    expect(jsonErrors("{} /* open", "jsonc")).to.have.length(1);
  });
});

function isValid(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
