import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import type { JsonSchema } from "@pergola/sdk";
import { compile } from "../../../core/schema/validate.ts";

const texts = { type: "array", items: { type: "string" } } as const;
const known = { properties: { dryRun: {}, paths: {}, secret: { hidden: true } } } as const;
const parts = {
  oneOf: [
    { type: "object", required: ["text"], properties: { type: { const: "text" } } },
    { type: "object", required: ["url"], properties: { type: { const: "image" } } },
  ],
} as const;

/** Each keyword that can be broken, with what is said then; the path comes before it, if there is one. */
const cases: readonly [keyword: string, schema: JsonSchema, value: unknown, message: string][] = [
  ["type", { type: "string" }, 1, "must be a string"],
  ["type", { type: "number" }, "1", "must be a number"],
  ["type", { type: "integer" }, 1.5, "must be a whole number"],
  ["type", { type: "boolean" }, "true", "must be true or false"],
  ["type", { type: "array" }, {}, "must be an array"],
  ["type", { type: "object" }, [], "must be an object"],
  ["type", { type: ["string", "array", "null"] }, 1, "must be a string, an array or null"],
  ["type", { type: ["boolean", "null"] }, 1, "must be true, false or null"],
  ["enum", { enum: [false, null] }, 1, "must be one of false, null"],
  ["enum", { enum: ["", "all"] }, 1, 'must be one of "", all'],
  ["enum", { enum: ["all"] }, 1, "must be all"],
  ["const", { const: "function" }, 1, "must be function"],
  ["const", { const: null }, 1, "must be null"],
  ["required", { required: ["a"] }, {}, "a is missing"],
  [
    "required",
    { required: ["dryRun"], ...known },
    { dryrun: 1 },
    'dryRun is missing (there is "dryrun", which is not known)',
  ],
  ["required", { required: ["dryRun"], ...known }, { paths: 1 }, "dryRun is missing"],
  [
    "additionalProperties",
    { additionalProperties: false, ...known },
    { dryrn: 1 },
    'dryrn is not known (did you mean "dryRun"?)',
  ],
  [
    "unevaluatedProperties",
    { unevaluatedProperties: false, ...known },
    { zzz: 1 },
    "zzz is not known (known: dryRun, paths)",
  ],
  ["minimum", { minimum: 1 }, 0, "must be at least 1"],
  ["maximum", { maximum: 1 }, 2, "must be at most 1"],
  ["exclusiveMinimum", { exclusiveMinimum: 0 }, 0, "must be more than 0"],
  ["exclusiveMaximum", { exclusiveMaximum: 0 }, 0, "must be less than 0"],
  ["multipleOf", { multipleOf: 5 }, 1, "must be a multiple of 5"],
  ["minLength", { minLength: 1 }, "", "must not be empty"],
  ["minLength", { minLength: 32 }, "", "must have at least 32 characters"],
  ["maxLength", { maxLength: 1 }, "ab", "must have at most 1 character"],
  ["pattern", { pattern: "^a" }, "b", "must match the pattern ^a"],
  ["format", { format: "date" }, "x", "must be a date such as 2026-01-31"],
  ["format", { format: "byte" }, "x", "must be of the format byte"],
  ["minItems", { minItems: 1 }, [], "must not be empty"],
  ["minItems", { minItems: 2 }, [], "must have at least 2 items"],
  ["maxItems", { maxItems: 1 }, [1, 2], "must have at most 1 item"],
  ["items", { prefixItems: [{}], items: false } as unknown as JsonSchema, [1, 2], "must have at most 1 item"],
  ["unevaluatedItems", { prefixItems: [{}], unevaluatedItems: false }, [1, 2], "must have at most 1 item"],
  ["uniqueItems", { uniqueItems: true }, [1, 1], "has the same item twice, at 0 and 1"],
  ["contains", { contains: { const: 1 } }, [2], "must have at least 1 of the described items"],
  [
    "contains",
    { contains: {}, minContains: 2, maxContains: 3 },
    [2],
    "must have at least 2 and at most 3 of the described items",
  ],
  ["minProperties", { minProperties: 1 }, {}, "must not be empty"],
  ["maxProperties", { maxProperties: 1 }, { a: 1, b: 1 }, "must have at most 1 key"],
  ["propertyNames", { propertyNames: { pattern: "^a" } }, { b: 1 }, 'has a key that is not allowed, "b"'],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, { a: 1 }, "b is missing; it goes with a"],
  ["dependencies", { dependencies: { a: ["b"] } }, { a: 1 }, "b is missing; it goes with a"],
  ["not", { not: {} }, 1, "is not allowed"],
  ["false schema", { properties: { a: false } } as unknown as JsonSchema, { a: 1 }, "a is not allowed"],
  [
    "anyOf",
    { anyOf: [{ type: "string" }, texts, { type: "null" }] },
    1,
    "must be a string, an array or null",
  ],
  ["anyOf", { anyOf: [{ type: "string" }, texts] }, [1], "[0] must be a string"],
  ["anyOf", { anyOf: [{ const: "" }, { minLength: 32 }] }, "abc", "must have at least 32 characters"],
  [
    "anyOf",
    { ...known, anyOf: [{ required: ["dryRun"] }, { required: ["paths"] }] },
    { dry_run: 1 },
    'dryRun is missing (there is "dry_run", which is not known)',
  ],
  ["oneOf", parts, { type: "image" }, "url is missing"],
  ["oneOf", parts, { type: "video" }, "type must be text or image"],
  ["oneOf", { oneOf: [{ type: "number" }, { minimum: 2 }] }, 5, "has more than one of the accepted forms"],
  ["if", { if: { type: "string" }, then: { minLength: 3 } }, "a", "must have at least 3 characters"],
];

/** Keywords that break nothing by themselves: what stands in them does, or they say what others mean. */
const silent = `
  $schema $id $defs $vocabulary $comment $anchor $ref $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $async definitions id vocabulary title
  description default deprecated readOnly writeOnly examples contentMediaType contentEncoding contentSchema
  properties patternProperties allOf then else prefixItems dependentSchemas maxContains minContains
  discriminator nullable
`.split(/\s+/);

describe("C24: what is said of a wrong value", () => {
  for (const [keyword, schema, value, text] of cases)
    it(`C24: ${keyword}: ${JSON.stringify(value)} "${text}"`, () => {
      const found = compile(schema)(value).map(({ path, message }) => `${path} ${message}`.trim());
      expect(found).to.deep.equal([text]);
    });

  it("C24: has words for every keyword", () => {
    const covered = new Set([...cases.map(([keyword]) => keyword), ...silent]);
    const { keywords } = new Ajv2020().RULES;
    expect(Object.keys(keywords).filter((keyword) => !covered.has(keyword))).to.deep.equal([]);
  });

  it("C24: repeats no endless key, and looks at no endless list", () => {
    const long = "k".repeat(1_000_000);
    const [found] = compile({ additionalProperties: false, ...known })({ [long]: 1 });
    expect(JSON.stringify(found).length).to.be.below(500);
    expect(compile(texts)(Array.from({ length: 100_000 }, () => 1))).to.have.lengthOf(50);
  });

  it("C24: names no hidden key", () => {
    const [found] = compile({ additionalProperties: false, ...known })({ secre: 1 });
    expect(found?.message).to.not.include("secret");
  });
});
