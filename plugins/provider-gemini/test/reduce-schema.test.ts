import { expect } from "chai";
import * as fc from "fast-check";
import { reduceSchema } from "../reduce-schema.ts";

const cases: Readonly<Record<string, readonly [schema: unknown, reduced: object]>> = {
  "keywords that Gemini does not have": [
    {
      $schema: "x",
      type: "object",
      title: "T",
      properties: { a: { type: "string", format: "email", default: "x", examples: ["y"] } },
      additionalProperties: false,
    },
    { type: "object", description: "T", properties: { a: { type: "string" } } },
  ],
  "keywords that it has": [
    {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 9, pattern: "^a", format: "date-time" },
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
    },
    {
      type: "array",
      items: { type: "string", format: "date-time", minLength: 1, maxLength: 9, pattern: "^a" },
      minItems: 1,
      maxItems: 3,
    },
  ],
  bounds: [
    { type: "integer", minimum: 1, maximum: 9, exclusiveMaximum: 10, multipleOf: 2, format: "int32" },
    { type: "integer", format: "int32", minimum: 1, maximum: 9 },
  ],
  "required names that there are not": [
    { type: "object", properties: { a: { type: "string" } }, required: ["a", "b", "a", 7] },
    { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  ],
  "an object of anything": [{ type: "object", additionalProperties: { type: "string" } }, { type: "object" }],
  "a list of anything": [{ type: "array" }, { type: "array", items: { type: "string" } }],
  "a tuple": [
    { type: "array", prefixItems: [{ type: "number" }, { type: "string" }] },
    { type: "array", items: { type: "number" } },
  ],
  anything: [{}, { type: "string" }],
  "true and false": [true, { type: "string" }],
  "a type that is told by what it holds": [
    { properties: { a: { items: {} } } },
    { type: "object", properties: { a: { type: "array", items: { type: "string" } } } },
  ],
  "texts to choose from": [
    { enum: ["a", "b"], description: "Which" },
    { type: "string", description: "Which", enum: ["a", "b"] },
  ],
  "numbers to choose from": [
    { type: "integer", enum: [1, 2], description: "Which." },
    { type: "integer", description: "Which. One of: 1, 2." },
  ],
  "a constant text": [{ const: "a" }, { type: "string", enum: ["a"] }],
  "a constant of another type": [{ const: true }, { type: "boolean", description: "One of: true." }],
  "a type or null": [
    { type: ["integer", "null"], minimum: 1 },
    { type: "integer", minimum: 1, nullable: true },
  ],
  "one of two types": [
    { type: ["integer", "string"], description: "Id" },
    {
      anyOf: [
        { type: "integer", description: "Id" },
        { type: "string", description: "Id" },
      ],
    },
  ],
  "an alternative and null": [
    { anyOf: [{ type: "string" }, { type: "null" }], description: "Name", default: null },
    { type: "string", description: "Name", nullable: true },
  ],
  "two alternatives and null": [
    {
      oneOf: [{ type: "string" }, { type: "object", properties: { a: { type: "number" } } }, { const: null }],
    },
    {
      anyOf: [
        { type: "string", nullable: true },
        { type: "object", properties: { a: { type: "number" } }, nullable: true },
      ],
    },
  ],
  "alternatives beside a type": [
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
  ],
  "all of several": [
    {
      description: "D",
      allOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        { properties: { b: { type: "number" } } },
      ],
    },
    {
      type: "object",
      description: "D",
      properties: { a: { type: "string" }, b: { type: "number" } },
      required: ["a"],
    },
  ],
  references: [
    {
      type: "object",
      properties: {
        a: { $ref: "#/$defs/x~1y", description: "Own" },
        b: { $ref: "https://elsewhere.example/x" },
      },
      $defs: { "x/y": { type: "number", description: "Theirs" } },
    },
    { type: "object", properties: { a: { type: "number", description: "Own" }, b: { type: "object" } } },
  ],
  "a reference to itself": [
    {
      $defs: {
        tree: { type: "object", properties: { next: { $ref: "#/$defs/tree" }, name: { type: "string" } } },
      },
      $ref: "#/$defs/tree",
    },
    { type: "object", properties: { next: { type: "object" }, name: { type: "string" } } },
  ],
};

/** What Gemini's Schema message has; a union stands alone. */
const known = new Set([
  "type",
  "format",
  "description",
  "nullable",
  "enum",
  "items",
  "properties",
  "required",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "pattern",
]);

function isAccepted(schema: unknown): boolean {
  const node = schema as Record<string, unknown>;
  if ("anyOf" in node)
    return Object.keys(node).length === 1 && (node["anyOf"] as unknown[]).every(isAccepted);
  if (!Object.keys(node).every((name) => known.has(name)) || typeof node["type"] !== "string") return false;
  if (node["type"] === "array" && !isAccepted(node["items"])) return false;
  return Object.values((node["properties"] as object | undefined) ?? {}).every(isAccepted);
}

describe("a schema for Gemini", () => {
  for (const [what, [schema, reduced]] of Object.entries(cases)) {
    it(`of ${what}`, () => expect(reduceSchema(schema)).to.deep.equal(reduced));
  }

  it("is one that Gemini accepts, whatever it is made of (500 random ones)", () => {
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom<unknown>(
          true,
          {},
          null,
          { type: "null" },
          { type: ["string", "null"] },
          { enum: [1, "a", null] },
          { const: {} },
          { $ref: "#" },
          { type: "wrong" },
        ),
        fc.record({ type: fc.constant("array"), items: tie("schema") }, { requiredKeys: ["type"] }),
        fc.record(
          {
            anyOf: fc.array(tie("schema"), { maxLength: 3 }),
            type: fc.constant("object"),
            description: fc.string(),
          },
          { requiredKeys: ["anyOf"] },
        ),
        fc.record({ allOf: fc.array(tie("schema"), { maxLength: 3 }) }),
        fc.record({
          properties: fc.dictionary(fc.constantFrom("a", "b", "__proto__"), tie("schema")),
          additionalProperties: tie("schema"),
          required: fc.constant(["a"]),
        }),
      ),
    }));
    fc.assert(
      fc.property(schema, (given) => isAccepted(reduceSchema(given))),
      { numRuns: 500, seed: 7 },
    );
  });
});
