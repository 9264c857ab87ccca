import { expect } from "chai";
import fc from "fast-check";
import { canonicalKeys } from "../../sdk/host/canonical-keys.ts";

const schema = {
  type: "object",
  properties: {
    filePath: { type: "string", aliases: ["path", "targetFile"] },
    max_results: { type: "integer" },
    isFromAPI: { type: "boolean" },
    mode: { enum: ["read-only", "full"] },
    options: { type: "object", properties: { deepKey: { type: "string" } } },
    edits: { type: "array", items: { type: "object", properties: { oldText: { type: "string" } } } },
    reasoning: {
      anyOf: [{ type: "boolean" }, { type: "object", properties: { budget_tokens: { type: "integer" } } }],
    },
    limit: { type: "integer", default: 10 },
    tags: { type: "array", items: { type: "string" }, default: ["a"] },
  },
} as const;

const folded = (value: unknown) => canonicalKeys(value, schema).value;

describe("canonicalKeys", () => {
  it("takes each key in both case forms", () => {
    const given = { file_path: "a", maxResults: 1, is_from_api: true };
    expect(folded(given)).to.deep.equal({ filePath: "a", max_results: 1, isFromAPI: true });
  });

  it("takes other names of a property, in both case forms", () => {
    for (const name of ["path", "targetFile", "target_file"])
      expect(folded({ [name]: "a" })).to.deep.equal({ filePath: "a" });
  });

  it("lets the canonical key win, whatever the order", () => {
    expect(folded({ file_path: "other", filePath: "mine" })).to.deep.equal({ filePath: "mine" });
    expect(folded({ filePath: "mine", path: "other" })).to.deep.equal({ filePath: "mine" });
  });

  it("prefers its own other case form to other names, and those in the order of the schema", () => {
    expect(folded({ targetFile: "3", path: "2", file_path: "1" })).to.deep.equal({ filePath: "1" });
    expect(folded({ targetFile: "3", path: "2" })).to.deep.equal({ filePath: "2" });
  });

  it("goes into objects, arrays and unions that have a schema", () => {
    const given = {
      options: { deep_key: "x" },
      edits: [{ old_text: "y" }, 1],
      reasoning: { budgetTokens: 5 },
    };
    expect(folded(given)).to.deep.equal({
      options: { deepKey: "x" },
      edits: [{ oldText: "y" }, 1],
      reasoning: { budget_tokens: 5 },
    });
  });

  it("keeps what it does not know, and names it where it stands at the top", () => {
    const given = { extra: { file_path: 1 }, options: { other: 1 }, mode: "full" };
    expect(canonicalKeys(given, schema)).to.deep.equal({ value: given, unknown: ["extra"] });
  });

  for (const spelling of ["read-only", "READ_ONLY", "Read-Only", "read_only"]) {
    it(`reads the enumerated value ${spelling}`, () => {
      expect(folded({ mode: spelling })).to.deep.equal({ mode: "read-only" });
    });
  }

  it("leaves values alone that are not of the enumeration", () => {
    expect(folded({ mode: "none", reasoning: "x" })).to.deep.equal({ mode: "none", reasoning: "x" });
  });

  it("prefers the exact value where two differ in spelling only", () => {
    expect(canonicalKeys("a_b", { enum: ["a-b", "a_b"] }).value).to.equal("a_b");
    expect(canonicalKeys("A_B", { enum: ["a-b"] }).value).to.equal("a-b");
  });

  it("fills in defaults only when asked, each time with a value of its own", () => {
    const [first, second] = [1, 2].map(
      () => canonicalKeys({}, schema, { defaults: true }).value as { tags: string[]; limit: number },
    );
    first?.tags.push("changed");
    expect(second).to.deep.equal({ limit: 10, tags: ["a"] });
    expect(folded({})).to.deep.equal({});
    expect(canonicalKeys({ limit: 0, tags: [] }, schema, { defaults: true }).value).to.deep.equal({
      limit: 0,
      tags: [],
    });
  });

  it("leaves the value as it was", () => {
    const given = { file_path: "a", options: { deep_key: "x" }, mode: "FULL" };
    const before = structuredClone(given);
    canonicalKeys(given, schema, { defaults: true, coerce: true });
    expect(given).to.deep.equal(before);
  });

  it("reaches no prototype by any key", () => {
    const given = JSON.parse(
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"mode":"full"}',
    ) as object;
    const { value, unknown } = canonicalKeys(given, schema);
    expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
    expect(({} as { isAdmin?: boolean }).isAdmin).to.equal(undefined);
    expect(unknown).to.deep.equal(["__proto__", "constructor"]);
    expect((value as { isAdmin?: boolean }).isAdmin).to.equal(undefined);
  });

  it("gives the same again for what it gave", () => {
    const property = fc.property(
      fc.dictionary(
        fc.constantFrom("file_path", "path", "maxResults", "mode", "x", "options"),
        fc.anything(),
      ),
      (given) => {
        const once = folded(given);
        expect(folded(once)).to.deep.equal(once);
      },
    );
    fc.assert(property, { numRuns: 200 });
  });
});
