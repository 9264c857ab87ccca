import { expect } from "chai";
import type { JsonSchema } from "@pergola/sdk";
import { readAs } from "../../sdk/host/read-as.ts";

const rows: readonly [given: unknown, schema: JsonSchema, meant: unknown][] = [
  ["5", { type: "integer" }, 5],
  [" -2.5 ", { type: "number" }, -2.5],
  ["1e3", { type: "integer" }, 1000],
  ["0x10", { type: "integer" }, "0x10"],
  ["2.5", { type: "integer" }, "2.5"],
  ["", { type: "integer" }, ""],
  ["five", { type: "number" }, "five"],
  ["true", { type: "boolean" }, true],
  ["False", { type: "boolean" }, false],
  ["yes", { type: "boolean" }, "yes"],
  [1, { type: "boolean" }, 1],
  [5, { type: "string" }, "5"],
  [true, { type: "string" }, "true"],
  [{}, { type: "string" }, {}],
  [null, { type: "string" }, null],
  ["a", { type: "array" }, ["a"]],
  [{ a: 1 }, { type: "array" }, [{ a: 1 }]],
  ["[1,2]", { type: "array" }, [1, 2]],
  ["[1,2", { type: "array" }, ["[1,2"]],
  [null, { type: "array" }, null],
  ['{"a":1}', { type: "object" }, { a: 1 }],
  ["[1]", { type: "object" }, "[1]"],
  ["{", { type: "object" }, "{"],
  [5, { type: ["string", "number"] }, 5],
  ["5", { type: ["number", "null"] }, 5],
  ["x", { anyOf: [{ type: "string" }, { type: "array" }] }, "x"],
  [7, { anyOf: [{ type: "string" }, { type: "array" }] }, "7"],
  ["anything", {}, "anything"],
];

describe("readAs", () => {
  for (const [given, schema, meant] of rows) {
    it(`reads ${JSON.stringify(given)} for ${JSON.stringify(schema)} as ${JSON.stringify(meant)}`, () => {
      expect(readAs(given, schema)).to.deep.equal(meant);
    });
  }
});
