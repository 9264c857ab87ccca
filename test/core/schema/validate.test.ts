import { expect } from "chai";
import { compile } from "../../../core/schema/validate.ts";

const schema = {
  type: "object",
  required: ["model"],
  properties: {
    model: { type: "string", minLength: 1 },
    temperature: { type: "number", minimum: 0, maximum: 2 },
    effort: { enum: ["low", "high"] },
    messages: {
      type: "array",
      items: { type: "object", required: ["role"], properties: { role: { type: "string" } } },
    },
    "a/b": { type: "object", additionalProperties: false, properties: {} },
    place: { type: "string", format: "path", aliases: ["where"], default: "here" },
    address: { type: "string", format: "uri" },
    day: { type: "string", format: "date" },
  },
} as const;
const check = compile(schema);

describe("compile", () => {
  it("finds nothing wrong with what is right", () => {
    expect(check({ model: "m", temperature: 2, messages: [{ role: "user" }], other: 1 })).to.deep.equal([]);
  });

  it("lists every fault, with its path and keyword, in words", () => {
    expect(
      check({ temperature: 3, effort: "mid", messages: [{ role: "user" }, {}, { role: 1 }] }),
    ).to.deep.equal([
      { path: "model", keyword: "required", message: "is missing" },
      { path: "temperature", keyword: "maximum", message: "must be at most 2" },
      { path: "effort", keyword: "enum", message: "must be one of low, high" },
      { path: "messages[1].role", keyword: "required", message: "is missing" },
      { path: "messages[2].role", keyword: "type", message: "must be a string" },
    ]);
  });

  it("names a key that is not allowed, whatever its characters", () => {
    expect(check({ model: "m", "a/b": { "c~d": 1 } })).to.deep.equal([
      { path: "a/b.c~d", keyword: "additionalProperties", message: "is not known" },
    ]);
  });

  it("has an empty path for the value itself", () => {
    for (const value of [null, [], "x", 5])
      expect(check(value)).to.deep.equal([{ path: "", keyword: "type", message: "must be an object" }]);
  });

  it("coerces nothing and fills in nothing unless it is asked", () => {
    const value = { model: "m", temperature: "1" };
    expect(check(value)).to.deep.equal([
      { path: "temperature", keyword: "type", message: "must be a number" },
    ]);
    expect(value).to.deep.equal({ model: "m", temperature: "1" });
  });

  it("T14: reads what was meant inside the value, in place, with defaults", () => {
    const value = { model: 5, temperature: "1", messages: '[{"role":7}]', effort: "HIGH" };
    expect(compile(schema, { coerce: true })(value)).to.deep.equal([]);
    expect(value).to.deep.equal({
      model: "5",
      temperature: 1,
      messages: [{ role: "7" }],
      effort: "high",
      place: "here",
    });
  });

  it("still finds what cannot be coerced", () => {
    const faults = compile(schema, { coerce: true })({ model: null, temperature: "warm" });
    expect(faults.map(({ path }) => path)).to.deep.equal(["model", "temperature"]);
  });

  it("takes the formats path and uri as notes, and checks dates", () => {
    expect(check({ model: "m", place: "../x", address: "no address" })).to.deep.equal([]);
    expect(check({ model: "m", day: "2026-13-01" }).map(({ keyword }) => keyword)).to.deep.equal(["format"]);
  });

  it("checks numbers that JSON cannot carry", () => {
    expect(check({ model: "m", temperature: NaN }).map(({ keyword }) => keyword)).to.include("type");
    expect(check({ model: "m", temperature: Infinity }).map(({ keyword }) => keyword)).to.include("type");
  });
});
