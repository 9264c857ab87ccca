import { expect } from "chai";
import { defineOperation, defineTool, type OfferedTool, type Tool } from "@pergola/sdk";
import { offerOf, schemaOf } from "../describe-tool.ts";
import { helpOf } from "../help.ts";
import { fitOffers, formsOf, mostBytes } from "../short-offers.ts";

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

const bytesOf = (offers: readonly OfferedTool[]): number =>
  offers
    .map(
      ({ name, description, parameters }) =>
        JSON.stringify({ type: "function", function: { name, description, parameters } }).length + 1,
    )
    .reduce((sum, length) => sum + length, 0);

describe("tools as they are offered", () => {
  const offered = (count: number, length: number): readonly OfferedTool[] =>
    fitOffers(Array.from({ length: count }, (_, index) => formsOf(offerOf(tool(`tool_${index}`, length)))));

  it("are whole where all of them are small, with every word of theirs", () => {
    const offers = offered(3, 20);
    expect(offers[0]).to.deep.equal(offerOf(tool("tool_0", 20)));
  });

  it("stay within the bound together, the last with needed parameters alone", () => {
    const few = offered(12, 60);
    expect(bytesOf(few)).to.be.at.most(mostBytes);
    const many = offered(42, 60);
    expect(bytesOf(many)).to.be.at.most(mostBytes);
    const keys = (offer: OfferedTool | undefined): readonly string[] =>
      Object.keys(offer?.parameters.properties ?? {});
    expect(keys(few[0])).to.deep.equal(["operation", "what", "limit", "mode"]);
    expect(keys(many.at(-1))).to.deep.equal(["operation", "what"]);
    expect(many.at(-1)?.description).to.equal("Does tool_41. find(what) More parameters: operation help.");
    expect(many.at(-1)?.parameters.properties?.["operation"]).to.deep.equal({
      type: "string",
      enum: ["find", "list"],
    });
  });

  it("are the same for the same set, so that a provider's cache of the prompt stays good", () => {
    expect(JSON.stringify(offered(30, 60))).to.equal(JSON.stringify(offered(30, 60)));
  });

  it("keep for the guide what their operations are, however short they are", () => {
    expect(
      offered(30, 60)
        .at(-1)
        ?.operations?.map(({ description }) => description),
    ).to.deep.equal([words(60), words(60)]);
  });

  it("never show a hidden parameter, and unite the values of parameters that share a name", () => {
    const verb = (name: string, values: readonly string[]) =>
      defineOperation({
        name,
        description: "x",
        effect: "none",
        parameters: { action: { type: "string", enum: values } },
        run: async () => ({ data: "" }),
      });
    const schema = schemaOf(
      defineTool({
        name: "x",
        description: "x",
        operations: [verb("a", ["list", "add"]), verb("b", ["list", "drop"])],
      }),
    );
    expect(schema.properties?.["action"]?.enum).to.deep.equal(["list", "add", "drop"]);
    expect(schemaOf(tool("y", 1)).properties).to.not.have.property("secretly");
  });

  it("are explained in full by their operation help, one or all", async () => {
    const help = helpOf(tool("x", 3));
    const { data: all } = await help.run({} as never, undefined as never);
    expect(all)
      .to.contain("find: word0 word1 word2")
      .and.to.contain("list: word0")
      .and.to.contain("what (required):");
    const { data: one } = await help.run({ about: "list" } as never, undefined as never);
    expect(one)
      .to.match(/^list: /)
      .and.to.not.contain("find:");
  });
});
