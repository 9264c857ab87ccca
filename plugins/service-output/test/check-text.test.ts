import { expect } from "chai";
import { compileFault, faultsOfText } from "../check-text.ts";

const faults = (schema: object, value: unknown): readonly string[] =>
  faultsOfText(JSON.stringify(schema), typeof value === "string" ? value : JSON.stringify(value));
const compiled = (schema: object): string | undefined => compileFault(JSON.stringify(schema));

describe("the check of an answer", () => {
  it("names the place and the rule of each fault", () => {
    const schema = {
      type: "object",
      properties: {
        kind: { enum: ["a", "b"] },
        list: { type: "array", items: { type: "object", required: ["n"] } },
        "a/b": { const: 1 },
      },
      additionalProperties: false,
    };
    expect(faults(schema, { kind: "c", list: [{ n: 1 }, {}], "a/b": 2, more: 1 })).to.deep.equal([
      'the answer must NOT have additional properties: "more"',
      'kind must be equal to one of the allowed values: ["a","b"]',
      "list[1] must have required property 'n'",
      "a/b must be equal to constant: 1",
    ]);
  });

  it("names ten faults at most, and shortens what is long", () => {
    const list = { type: "array", items: { type: "integer" } };
    expect(faults(list, Array(100).fill("x"))).to.have.length(10);
    const closed = { type: "object", additionalProperties: false };
    expect(faults(closed, { ["k".repeat(5000)]: 1 })[0]).to.have.length.below(310);
  });

  it("says that a text is no JSON, or holds more than one value", () => {
    for (const text of ["", "Sure!", "{", '{"a":1}{"a":2}', '{"a":1} Done.'])
      expect(faults({}, text)[0]).to.match(/^it is not JSON: /);
  });

  it("reads older drafts by their own rules", () => {
    const $schema = "http://json-schema.org/draft-07/schema#";
    const pair = { type: "array", items: [{ type: "string" }, { type: "integer" }] };
    expect(faults({ $schema, ...pair }, ["a", "b"])).to.deep.equal(["[1] must be integer"]);
    expect(compiled(pair)).to.equal("items must be object,boolean");
    expect(faults({ prefixItems: [{ type: "string" }] }, [1])).to.deep.equal(["[0] must be string"]);
  });

  it("takes patterns of other languages, references inside, recursion, and formats that it does not know", () => {
    expect(faults({ pattern: "^[\\w-.]+$" }, '"a-b"')).to.deep.equal([]);
    expect(faults({ format: "email" }, '"nobody"')).to.deep.equal(['the answer must match format "email"']);
    expect(faults({ format: "colour" }, '"red"')).to.deep.equal([]);
    const tree = {
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["n"] } },
      $ref: "#/$defs/node",
    };
    expect(faults(tree, { n: 1, next: { next: { n: 1 } } })).to.deep.equal([
      "next must have required property 'n'",
    ]);
    expect(faults(tree, { n: 1, next: { n: 2 } })).to.deep.equal([]);
  });

  it("names what makes a schema unusable", () => {
    expect(compiled({ properties: { a: { type: "strng" } } })).to.match(/^properties\.a\.type must /);
    expect(compiled({ $ref: "#/$defs/none" })).to.match(/can't resolve reference #\/\$defs\/none/);
    expect(compiled({ $ref: "#" })).to.equal("it refers to itself without an end");
    expect(compiled({ $id: "https://example.test/a", type: "object" })).to.equal(undefined);
    expect(compiled({ $id: "https://example.test/a", type: "array" })).to.equal(undefined);
  });

  it("runs nothing that a schema says", () => {
    const name = '"]; globalThis.pwned = true; //';
    const odd = { properties: { [name]: { const: "${globalThis.pwned = true}" } }, required: [name] };
    expect(faults({ title: name, description: "*/ globalThis.pwned = true", ...odd }, {})).to.have.length(1);
    expect(globalThis).to.not.have.property("pwned");
  });

  it("does not fall over an answer that is nested without an end", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const list = { $defs: { l: { type: "array", items: { $ref: "#/$defs/l" } } }, $ref: "#/$defs/l" };
    expect(faults(list, deep)[0]).to.match(/nested too deeply/);
  });
});
