import { expect } from "chai";
import { defineOperation, defineTool, type JsonSchema, type OfferedTool, type Tool } from "@pergola/sdk";
import { offerOf, schemaOf } from "../describe-tool.ts";
import { helpOf } from "../help.ts";
import { fitOffers, formsOf, offerRoom, tokensOf, type OfferRoom } from "../short-offers.ts";
import { deepSignatureOf, signatureOf } from "../signature.ts";
import { uniteSchemas } from "../unite-schemas.ts";

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

function tool(name: string, length: number): Tool {
  const operation = (verb: string, required: readonly "what"[]) =>
    defineOperation({
      name: verb,
      description: words(length),
      effect: "read",
      parameters: {
        what: { type: "string", description: words(length) },
        limit: { type: "integer", minimum: 1, default: 10, description: words(length) },
        mode: { type: "string", enum: ["a", "b"], description: words(length) },
        edits: {
          type: "array",
          items: {
            type: "object",
            properties: { old: { type: "string", description: words(length) }, all: { type: "boolean" } },
            required: ["old"],
          },
        },
        secretly: { type: "string", hidden: true },
      },
      required,
      run: async () => ({ data: "" }),
    });
  return defineTool({
    name,
    description: `Does ${name}.`,
    operations: [operation("find", ["what"]), operation("list", [])],
  });
}

const sum = (offers: readonly OfferedTool[]): number =>
  offers.map(tokensOf).reduce((total, tokens) => total + tokens, 0);
const wide: OfferRoom = { budget: 100_000, ceiling: 100_000 };
const keys = ({ parameters }: OfferedTool): readonly string[] => Object.keys(parameters.properties ?? {});

describe("tools as they are offered (T1)", () => {
  const offered = (count: number, length: number, room: OfferRoom, uses: readonly number[] = []) =>
    fitOffers(
      Array.from({ length: count }, (_, index) => ({
        forms: formsOf(offerOf(tool(`tool_${index}`, length))),
        uses: uses[index] ?? 0,
      })),
      room,
    );

  it("are whole where all of them fit, with every word of theirs", () => {
    expect(offered(3, 20, wide)[0]).to.deep.equal(offerOf(tool("tool_0", 20)));
  });

  it("name every operation with all of its parameters and their types, however little room there is", () => {
    for (const offer of offered(12, 60, { budget: 0, ceiling: 100_000 })) {
      const edits = "edits?: [{old, all?}]";
      expect(offer.description).to.equal(
        `Does ${offer.name}.\nfind(what, limit?, mode?, ${edits}) list(what?, limit?, mode?, ${edits}) help(about?)`,
      );
      const { operation, ...types } = offer.parameters.properties ?? {};
      expect(operation).to.deep.equal({ type: "string", enum: ["find", "list"] });
      expect(types).to.deep.equal({
        what: { type: "string" },
        limit: { type: "integer" },
        mode: { type: "string", enum: ["a", "b"] },
        edits: { type: "array", items: { type: "object" } },
      });
    }
  });

  it("still name them where the window has no room for their types", () => {
    const [offer] = offered(12, 60, { budget: 0, ceiling: 0 }) as [OfferedTool];
    expect(keys(offer)).to.deep.equal(["operation", "what"]);
    expect(offer.description).to.include("list(what?, limit?, mode?, edits?: [{old, all?}])");
  });

  it("lose descriptions before nested fields", () => {
    const room = { budget: sum(offered(4, 60, { budget: 3000, ceiling: 100_000 })), ceiling: 100_000 };
    const [offer] = offered(4, 60, room) as [OfferedTool];
    const text = JSON.stringify(offer.parameters);
    expect(text).to.include('"old"').and.not.to.include("word0");
    expect(offer.description).to.include("help(about?)");
  });

  it("lose as few as need be, and first those of the families that were used least", () => {
    const whole = sum(offered(4, 60, wide));
    const offers = offered(4, 60, { budget: whole - 10, ceiling: 100_000 }, [2, 0, 1, 3]);
    const isWhole = offers.map(({ parameters }) => JSON.stringify(parameters).includes("word0"));
    expect(isWhole).to.deep.equal([true, false, true, true]);
    expect(sum(offers)).to.be.at.most(whole - 10);
  });

  it("have a twelfth of the window, from 3,000 to 12,000 tokens, or what the preference says", () => {
    const budgets = [8192, 32_768, 60_000, 128_000, 1_000_000].map(
      (window) => offerRoom(window, "auto").budget,
    );
    expect(budgets).to.deep.equal([3000, 3000, 5000, 10_666, 12_000]);
    expect(offerRoom(8192, 7000).budget).to.equal(7000);
  });

  it("are the same for the same set, so that a provider's cache of the prompt stays good", () => {
    const room = { budget: 2000, ceiling: 3000 };
    expect(JSON.stringify(offered(30, 60, room))).to.equal(JSON.stringify(offered(30, 60, room)));
  });

  it("keep for the guide what their operations are, however short they are", () => {
    const [offer] = offered(30, 60, { budget: 0, ceiling: 0 }) as [OfferedTool];
    expect(offer.operations?.map(({ description }) => description)).to.deep.equal([words(60), words(60)]);
  });

  it("T2: keep the purpose of a third party's operation, also where it is the only one", () => {
    const one = { ...tool("mcp_x", 3), operations: tool("x", 3).operations.slice(0, 1) };
    for (const { description } of formsOf(offerOf(one), true))
      expect(description).to.include("word0 word1 word2");
  });
});

describe("parameters that several operations have (T2, T4)", () => {
  const verb = (name: string, schema: JsonSchema) =>
    defineOperation({
      name,
      description: "x",
      effect: "none",
      parameters: { on: schema },
      run: async () => ({ data: "" }),
    });
  const united = (...schemas: readonly JsonSchema[]): JsonSchema | undefined => {
    const operations = schemas.map((schema, index) => verb(`v${index}`, schema));
    return schemaOf(defineTool({ name: "x", description: "x", operations })).properties?.["on"];
  };

  it("unite their values", () => {
    const values = (...all: readonly string[]): JsonSchema => ({ type: "string", enum: all });
    expect(united(values("list", "add"), values("list", "drop"))?.enum).to.deep.equal([
      "list",
      "add",
      "drop",
    ]);
  });

  it("are shown where any operation shows them", () => {
    const [shown, hidden] = [{ type: "number" }, { type: "number", hidden: true }] as const;
    expect(united(shown, hidden)).to.deep.equal(shown);
    expect(united(hidden, shown)).to.deep.equal(shown);
    expect(united(hidden, hidden)).to.equal(undefined);
  });

  it("keep all of their descriptions, and the bounds on which they agree", () => {
    expect(
      uniteSchemas([
        { type: "integer", minimum: 0, default: 5, description: "lines" },
        { type: "integer", minimum: 0, default: 9, description: "entries" },
      ]),
    ).to.deep.equal({ type: "integer", minimum: 0, description: "lines / entries" });
  });

  it("admit each of their meanings where they differ", () => {
    const [list, text] = [{ type: "array", items: { type: "string" } }, { type: "string" }] as const;
    expect(united(list, text, text)).to.deep.equal({ anyOf: [list, text] });
  });
});

describe("signatures", () => {
  const debts: JsonSchema = {
    type: "array",
    items: { type: "object", properties: { name: {}, rate: {} }, required: ["name"] },
  };

  it("name required parameters first, and nested fields where they are asked for", () => {
    const operation = {
      name: "pay",
      parameters: { when: {}, debts, who: { hidden: true } },
      required: ["debts"],
    };
    expect(signatureOf(operation)).to.equal("pay(debts, when?)");
    expect(deepSignatureOf(operation)).to.equal("pay(debts: [{name, rate?}], when?)");
  });

  it("leave nested fields out where they would be too many to read", () => {
    const properties = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field_${index}`, {}]));
    const operation = {
      name: "x",
      parameters: { all: { type: "object", properties } as const },
      required: [],
    };
    expect(deepSignatureOf(operation)).to.equal("x(all?)");
  });
});

describe("the operation help (T2)", () => {
  const explain = async (family: Tool, about?: string): Promise<string> => {
    const { data } = await helpOf(family).run({ about } as never, undefined as never);
    return data as string;
  };

  it("explains all operations in full where they are few, and one on request", async () => {
    expect(await explain(tool("x", 3)))
      .to.contain("find(what, limit?, mode?, edits?): word0 word1 word2")
      .and.to.contain("what (required):")
      .and.not.to.contain("secretly");
    expect(await explain(tool("x", 3), "x.List"))
      .to.match(/^list\(/)
      .and.to.not.contain("find(");
  });

  it("says which operations there are when about is none of them", async () => {
    const fault = await explain(tool("x", 3), "no-such").catch((error: unknown) => error);
    expect(fault)
      .to.include({ code: "invalid_value" })
      .and.to.have.property("hint")
      .that.includes("find, list");
  });

  it("hands over many operations in one piece", async () => {
    const [sample] = tool("x", 60).operations;
    const operations = Array.from({ length: 161 }, (_, index) => ({
      ...sample!,
      name: `operation_${index}`,
    }));
    const text = await explain({ ...tool("x", 1), operations });
    expect(Buffer.byteLength(text)).to.be.at.most(16_384);
    expect(text.split("\n")).to.have.length(161);
    expect(text).to.include("operation_160(what, limit?");
  });
});
