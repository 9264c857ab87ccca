import { expect } from "chai";
import type { Json, JsonSchema } from "@pergola/sdk";
import { publicValue, wireSchema } from "../wire-preference.ts";

const of = (schema: JsonSchema, value: Json) => ({ key: "k", schema, value, from: "default" }) as const;

describe("a preference on the wire", () => {
  const deep = {
    type: "object",
    properties: { account: { type: "object", properties: { password: { "x-secret": true } } } },
  } as const;
  for (const [what, schema, value, expected] of [
    ["as it is", { type: "integer" }, 5, 5],
    ["a secret, set", { "x-secret": true }, "s", { set: true }],
    ["a secret, not set", { "x-secret": true }, "", { set: false }],
    [
      "a list of secrets, empty",
      { type: "array", items: { properties: { key: { "x-secret": true } } } },
      [],
      { set: false },
    ],
    ["a map of secrets, set", { additionalProperties: { "x-secret": true } }, { a: "s" }, { set: true }],
    ["a record with a secret deep in it", deep, { account: { password: "s" } }, { set: true }],
    ["no record", { ...deep, type: ["object", "null"] }, null, { set: false }],
    ["a switch that is off", { "x-secret": true, type: "boolean" }, false, { set: true }],
  ] as const)
    it(`is shown ${what}`, () => {
      expect(publicValue(of(schema, value))).to.deep.equal(expected);
    });

  it("is described with its limits and flags", () => {
    const schema = {
      type: "integer",
      default: 3,
      minimum: 1,
      maximum: 9,
      description: "Some",
      "x-protected": true,
      "x-restart": true,
    } as const;
    expect(wireSchema(of(schema, 4))).to.deep.equal({
      key: "k",
      type: "integer",
      default: 3,
      range: { minimum: 1, maximum: 9 },
      secret: false,
      protected: true,
      restart: true,
      description: "Some",
      source: "default",
    });
    expect(wireSchema(of({ enum: ["a", "b"] }, "a"))).to.deep.include({
      type: "string",
      default: null,
      range: { enum: ["a", "b"] },
    });
    expect(wireSchema(of({ type: "string" }, "a")).range).to.equal(null);
  });
});
