import { expect } from "chai";
import type { JsonSchema } from "@pergola/sdk";
import { chatReply, endpointRequest } from "@pergola/sdk/testing";
import { chat, sentBody, user } from "../support/chat.ts";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";
import { calling, play, saying } from "../support/lab-stage.ts";
import { started } from "../../plugins/bridge-mcp-client/test/collect.ts";
import { openTools, type ToolStage } from "../support/tool-scene.ts";
import { verifies } from "../support/verifies.ts";

interface SentTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> };
}

/** The tools that the provider was sent with the latest model call. */
const sentTools = (stage: Pick<Stage, "provider">): readonly SentTool[] =>
  (sentBody(stage).tools ?? []).map((tool) => tool.function as unknown as SentTool);

const windows = [8192, 32_768, 90_000, 96_000, 128_000];
/** A model for each of the windows; `custom/test` has the window that is guessed. */
const models = {
  "models.overrides": Object.fromEntries(
    windows.map((contextWindow) => [`custom/w${contextWindow}`, { contextWindow, supportsTools: true }]),
  ),
};

/** The same after a chat with a model of that context window. */
async function toolsFor(stage: Stage, contextWindow: number | null): Promise<readonly SentTool[]> {
  const model = contextWindow === null ? "custom/test" : `custom/w${contextWindow}`;
  const { status, body } = await chat(stage, { model, messages: [user("Hi")] });
  expect([status, body.error?.message]).to.deep.equal([200, undefined]);
  return sentTools(stage);
}

const setBudget = ({ host }: Stage, tokens: number | null): Promise<unknown> =>
  host.services.preferences.update({ "tools.offer_tokens": tokens }, endpointRequest().caller);

const named = (tools: readonly SentTool[], name: string): SentTool => {
  const found = tools.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`${name} was not sent`);
  return found;
};

/** The parameters of an operation in a description's signature, with their marks. */
function signed({ description }: SentTool, operation: string): readonly string[] {
  const [, list] = new RegExp(String.raw`(?:^|\s)${operation}\(([^)]*)\)`).exec(description) ?? [];
  if (list === undefined) throw new Error(`${operation} has no signature in: ${description}`);
  return list.split(/[^\w?]+/);
}

const size = (tools: readonly SentTool[]): number => JSON.stringify(tools).length / 4;

describe("the tools that a model is sent (T1)", () => {
  let stage: ToolStage;
  before(async () => {
    stage = await openTools({ settings: models }, chatReply({ text: "Hello." }));
  });
  after(() => stage.end());
  beforeEach(() => stage.provider.play(chatReply({ text: "Hello." })));

  /** What of all operations and visible parameters is not told, as the signatures tell it. */
  function missingIn(tools: readonly SentTool[]): readonly string[] {
    return stage.operations
      .filter(({ operation }) => operation.hidden !== true)
      .flatMap(({ tool, operation: { name, parameters, required } }) => {
        const told = new Set(signed(named(tools, tool.name), name));
        return Object.entries(parameters)
          .filter(([, { hidden }]) => hidden !== true)
          .map(([key]) => (required.includes(key) ? key : `${key}?`))
          .filter((label) => !told.has(label))
          .map((label) => `${tool.name}.${name}: ${label}`);
      });
  }

  /** Parameters without a type in the schema that was sent. */
  const untypedIn = (tools: readonly SentTool[]): readonly string[] =>
    stage.operations.flatMap(({ tool, operation: { parameters, hidden } }) => {
      const { properties } = named(tools, tool.name).parameters;
      const visible = Object.entries(parameters).filter(
        ([, schema]) => schema.hidden !== true && hidden !== true,
      );
      const isTyped = (key: string): boolean =>
        properties[key]?.type !== undefined || properties[key]?.anyOf !== undefined;
      return visible.filter(([key]) => !isTyped(key)).map(([key]) => `${tool.name}: ${key}`);
    });

  verifies("tools:told", "hold every operation with all of its parameters and their types", async () => {
    for (const contextWindow of [null, 32_768, 90_000, 128_000]) {
      const tools = await toolsFor(stage, contextWindow);
      expect(missingIn(tools), `window ${contextWindow}`).to.deep.equal([]);
      expect(untypedIn(tools), `window ${contextWindow}`).to.deep.equal([]);
    }
  });

  verifies("tools:told", "still hold every parameter by name where the window is small", async () => {
    const tools = await toolsFor(stage, 8192);
    expect(missingIn(tools)).to.deep.equal([]);
    expect(size(tools)).to.be.at.most(4000);
  });

  verifies("tools:told", "are whole where the model's context is large", async () => {
    const tools = await toolsFor(stage, 128_000);
    const { body } = await stage.host.json<{ tools: { name: string; inputSchema: JsonSchema }[] }>(
      "GET",
      "/debug/mcp/tools",
    );
    expect(tools.map(({ name, parameters }) => [name, parameters])).to.deep.equal(
      body.tools.map(({ name, inputSchema }) => [name, inputSchema]),
    );
    const { properties } = named(tools, "version_control").parameters;
    expect(properties).to.include.keys("files", "action", "name");
    expect(properties["files"]?.description).to.equal("What to commit");
    expect(named(tools, "weather_operations").parameters.properties).to.include.keys("city");
  });

  verifies("tools:told", "keep to the budget, and tools.offer_tokens sets another", async () => {
    expect(size(await toolsFor(stage, 96_000))).to.be.at.most(8000);
    await setBudget(stage, 100_000);
    const whole = await toolsFor(stage, 32_768);
    await setBudget(stage, null);
    expect(named(whole, "version_control").parameters.properties["files"]).to.have.property("description");
  });

  verifies("tools:told", "keep the descriptions of the families that the conversation uses", async () => {
    const conversation = { conversation_id: "uses-files", model: "custom/w96000" };
    await toolsFor(stage, 96_000);
    const before = named(sentTools(stage), "file_operations");
    expect(before.parameters.properties["filePath"]).not.to.have.property("description");
    const call = { name: "file_operations", arguments: { operation: "list_dir", filePath: "." } };
    await play(stage, [calling(call), saying("Empty.")], conversation);
    await play(stage, [saying("Hello.")], conversation, "And now?");
    expect(named(sentTools(stage), "file_operations").parameters.properties["filePath"]).to.have.property(
      "description",
    );
  });

  verifies(["tools:told", "debug:tools"], "are shown for a model by GET /debug/mcp/tools?model", async () => {
    const sent = await toolsFor(stage, 32_768);
    const { body } = await stage.host.json<{ tools: { name: string; inputSchema: JsonSchema }[] }>(
      "GET",
      "/debug/mcp/tools?model=custom/w32768",
    );
    expect(body.tools.map(({ name, inputSchema }) => [name, inputSchema])).to.deep.equal(
      sent.map(({ name, parameters }) => [name, parameters]),
    );
  });

  verifies("tools:told", "T4: hold the value of convert and the parameters of every formula", async () => {
    const math = named(await toolsFor(stage, 32_768), "math_operations");
    expect(math.parameters.properties).to.deep.include({
      value: { type: "number" },
      bill: { type: "number" },
    });
    expect(math.parameters.properties).to.include.keys("principal", "weight_kg", "debts", "filing_status");
    expect(signed(math, "convert")).to.deep.equal(["value", "from", "to"]);
    const whole = named(await toolsFor(stage, 128_000), "math_operations");
    expect(whole.parameters.properties["formula"]?.description).to.include(
      "mortgage(principal, rate, years)",
    );
  });
});

describe("the tools of an MCP server that a model is sent (T2)", () => {
  let stage: Stage;
  before(async () => {
    const servers = { large: started("large-server.mjs"), single: started("large-server.mjs", "one") };
    stage = await openStage(chatReply({ text: "Hello." }), {
      plugins: officialPlugins(),
      settings: { mcp: { servers }, ...models },
    });
  });
  after(() => stage.end());

  const help = async (args: object) =>
    (
      await stage.host.json<{ success: boolean; toolResult: { data: string; stored?: boolean } }>(
        "POST",
        "/debug/mcp/execute",
        { tool: "mcp_large", arguments: { operation: "help", ...args } },
      )
    ).body;

  verifies("tools:told", "keep their descriptions, nested fields and required parameters", async () => {
    const large = named(await toolsFor(stage, 32_768), "mcp_large");
    const lines = large.description.split("\n");
    expect(lines).to.include(
      "edit_file(path, edits: [{oldText, newText}], dryRun?): Make line-based edits to a text file.",
    );
    for (const index of Array.from({ length: 160 }, (_, at) => at))
      expect(lines).to.include(
        `update_record_${index}(id, fields: {title_${index}?, labels?, owner?: {name, team?}}, version?, notify?): ` +
          `Change the record of kind ${index} in the project's database.`,
      );
    expect(large.parameters.properties).to.have.all.keys(
      ...["operation", "path", "edits", "dryRun", "id", "fields", "version", "notify"],
    );
    expect(large.parameters.properties["id"]).to.deep.equal({
      anyOf: [{ type: "integer" }, { type: "string" }],
    });
  });

  verifies(
    "tools:told",
    "come with whole schemas where there is room, also from a server with one tool",
    async () => {
      await setBudget(stage, 100_000);
      const { description, parameters } = named(await toolsFor(stage, 128_000), "mcp_single");
      expect(description).to.include(
        "edit_file(path, edits, dryRun?): Make line-based edits to a text file. Each edit replaces exact line",
      );
      expect(parameters.required).to.deep.equal(["path", "edits"]);
      expect(parameters.properties["edits"]).to.deep.equal({
        type: "array",
        description: "In the order in which they are made",
        items: {
          type: "object",
          properties: {
            oldText: { type: "string", description: "Text to search for" },
            newText: { type: "string", description: "Text to replace it with" },
          },
          required: ["oldText", "newText"],
        },
      });
      await setBudget(stage, null);
      const small = named(await toolsFor(stage, 32_768), "mcp_single");
      expect(small.description).to.include("Make line-based edits to a text file.");
    },
  );

  verifies(
    "tools:help",
    "are explained by help in one piece, and one with all of its fields by about",
    async () => {
      const { toolResult: all } = await help({});
      expect(all.stored).to.equal(undefined);
      expect(Buffer.byteLength(all.data)).to.be.below(30_000);
      expect(all.data.split("\n")).to.have.length(161);
      expect(named(sentTools(stage), "mcp_large").description).to.include("help(about?)");
      const { toolResult: one } = await help({ about: "update_record_7" });
      expect(one.data).to.include("title_7").and.to.include("Full name").and.not.to.include("title_8");
      expect(Buffer.byteLength(one.data)).to.be.below(3000);
    },
  );
});
