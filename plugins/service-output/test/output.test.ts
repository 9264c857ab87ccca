import type { Json } from "@pergola/sdk";
import { expect } from "chai";
import { Output } from "../output.ts";
import { placeFault } from "../place-fault.ts";
import { readForm } from "../read-form.ts";
import { withoutFence } from "../without-fence.ts";

const format = (schema: Json, strict?: boolean): Json => ({
  type: "json_schema",
  json_schema: { name: "a", schema, ...(strict !== undefined && { strict }) },
});
const { signal } = new AbortController();

/** A pattern that takes for ever with such a text. */
const endless = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
const slow = JSON.stringify({ a: `${"a".repeat(60)}!` });

const nested = (levels: number): Json => (levels === 0 ? {} : { not: nested(levels - 1) });

describe("what an answer is to be", () => {
  it("is read from response_format, in each of its forms", () => {
    expect(readForm(undefined)).to.equal(undefined);
    expect(readForm({ type: "text" })).to.equal(undefined);
    expect(readForm({ type: "json_object" })).to.include({ isAnyObject: true, strict: false });
    expect(readForm({ type: "json_schema", json_schema: { name: "a", strict: true } })).to.include({
      isAnyObject: true,
      strict: true,
    });
    expect(readForm(format({ type: "string" }, true))).to.deep.equal({
      schema: { type: "string" },
      isAnyObject: false,
      strict: true,
    });
  });

  it("is told without one code fence around it", () => {
    expect(withoutFence('\n```json\n{"a":1}\n```\n')).to.equal('{"a":1}');
    expect(withoutFence('```\r\n{"a":"```"}\r\n```')).to.equal('{"a":"```"}');
    for (const text of ["```", "``````", "```json", '```{"a":1}```', 'Here:\n```\n{"a":1}\n```', "{}"])
      expect(withoutFence(text)).to.equal(text);
  });
});

describe("a schema in the words of OpenAPI 3.0", () => {
  it("may say `nullable` with a type and without", async () => {
    const either = { anyOf: [{ type: "string" }, { type: "integer" }], nullable: true };
    const properties = {
      either,
      typed: { type: "string", nullable: true },
      never: { minimum: 1, nullable: false },
      nullable: { type: "boolean" },
      fixed: { const: { nullable: true } },
    };
    const output = new Output();
    const form = await output.open(format({ type: "object", nullable: true, properties }), signal);
    const faultsOf = async (answer: object) => (await form!.check(JSON.stringify(answer), signal)).faults;
    const filled = { either: null, typed: null, nullable: true, fixed: { nullable: true } };
    expect(await faultsOf(filled)).to.deep.equal([]);
    expect(await faultsOf({ either: 1, never: 1 })).to.deep.equal([]);
    expect(await faultsOf({ either: true })).not.to.deep.equal([]);
    expect(await faultsOf({ never: 0 })).not.to.deep.equal([]);
    expect(await faultsOf({ nullable: null })).not.to.deep.equal([]);
    await output.stop();
  });
});

describe("a schema that cannot be used", () => {
  const refused: Readonly<Record<string, readonly [schema: object, fault: RegExp]>> = {
    "a reference elsewhere": [
      { properties: { a: { $ref: "https://example.test/a.json" } } },
      /^properties\.a\.\$ref must begin with #/,
    ],
    "a file": [{ $defs: { $ref: { $ref: "file:///etc/passwd" } } }, /^\$defs\.\$ref\.\$ref must begin/],
    "a dynamic reference elsewhere": [{ $dynamicRef: "x#y" }, /^\$dynamicRef must begin with #/],
    "a pattern that is none": [{ items: { pattern: "(" } }, /^items\.pattern is no regular expression/],
    "a name that is no pattern": [{ patternProperties: { "(": {} } }, /^patternProperties\.\( is no regular/],
    "a check that is a promise": [{ allOf: [{ $async: true }] }, /^allOf\.0\.\$async is not taken/],
    "more characters than there may be": [{ description: "a".repeat(140_000) }, /^it has 140018 characters/],
    "more levels than there may be": [nested(100) as object, /^not\.not\..*… is more than 64 levels deep$/],
  };
  for (const [what, [schema, fault]] of Object.entries(refused))
    it(`is refused at its place: ${what}`, () => expect(placeFault(schema as never)).to.match(fault));

  it("is told from names and values that only look so", () => {
    const names = { properties: { $ref: { type: "string" }, pattern: { type: "string" }, $async: {} } };
    expect(placeFault(names)).to.equal(undefined);
    expect(
      placeFault({ const: { $ref: "x" }, enum: [{ pattern: "(" }], default: { $async: true } }),
    ).to.equal(undefined);
  });
});

describe("the part output", () => {
  let output: Output;
  before(() => (output = new Output(6000)));
  after(() => output.stop());

  it("checks answers in a thread", async () => {
    const form = await output.open(format({ type: "object", required: ["a"] }), signal);
    expect(await form?.check('```\n{"a":1}\n```', signal)).to.deep.equal({
      text: '{"a":1}',
      faults: [],
      canRepair: true,
    });
    expect(await form?.check("{}", signal)).to.deep.include({
      faults: ["the answer must have required property 'a'"],
    });
  });

  it("refuses what does not compile, and what has no end", async () => {
    for (const [schema, message] of [
      [{ type: "strng" }, /cannot be used: type must /],
      [{ $ref: "#" }, /refers to itself without an end/],
      [[], /it is no object/],
    ] as const) {
      const error = await output.open(format(schema), signal).catch((one: unknown) => one);
      expect(error).to.include({ code: "invalid_value", param: "response_format" });
      expect((error as Error).message).to.match(message);
    }
  });

  it("gives up a check that takes for ever, and goes on with the next one", async () => {
    const quick = new Output(3000);
    const form = await output.open(format(endless), signal);
    const begun = await quick.open(format(endless), signal);
    expect(await begun?.check(slow, signal)).to.deep.include({
      faults: ["the check was given up: it took too long"],
      canRepair: false,
    });
    expect(await begun?.check('{"a":"aa"}', signal)).to.deep.include({ faults: [] });
    await quick.stop();
    const leaving = new AbortController();
    const left = form?.check(slow, leaving.signal).catch((error: unknown) => error);
    leaving.abort(new Error("cancelled"));
    expect(await left).to.have.property("message", "cancelled");
  });
});
