import { expect } from "chai";
import { AppError, type ToolEntry } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { getTool, listTools, switchTool } from "../routes.ts";

const entry = (name: string, more: Partial<ToolEntry> = {}): ToolEntry => ({
  name,
  description: `What ${name} does`,
  enabled: true,
  enabledByDefault: true,
  available: true,
  unavailableReason: null,
  operations: [
    { name: "look", effect: "read", description: "Look", required: ["at"] },
    { name: "do", effect: "execute" },
  ],
  inputSchema: { type: "object", properties: { operation: { enum: ["look", "do"] } } },
  source: `tool-${name}`,
  ...more,
});

const asked: (string | undefined)[] = [];
const services = fakeServices({
  conversations: { idOf: (id) => `id of ${id}` },
  tools: {
    list: async (conversationId) => {
      asked.push(conversationId);
      return [
        entry("first"),
        entry("second", { enabled: false, available: false, unavailableReason: "No program. Install it." }),
      ];
    },
  },
});

const first = {
  name: "first",
  description: "What first does",
  enabled: true,
  enabledByDefault: true,
  available: true,
  unavailableReason: null,
  operation_count: 2,
  operations: [
    { name: "look", effect: "read" },
    { name: "do", effect: "execute" },
  ],
  source: "tool-first",
};

describe("endpoint-tools", () => {
  it("lists the families and their sums", async () => {
    const { body } = (await listTools.handle(endpointRequest(), services)) as {
      readonly body: { readonly tools: readonly object[] };
    };
    const { tools, ...sums } = body;
    expect(tools[0]).to.deep.equal(first);
    expect(tools[1]).to.include({
      name: "second",
      available: false,
      unavailableReason: "No program. Install it.",
    });
    expect(sums).to.deep.equal({ total_tools: 2, enabled_tools: 1, disabled_tools: 1, total_operations: 4 });
  });

  it("shows one with its schema", async () => {
    const { body } = (await getTool.handle(endpointRequest({ params: { name: "first" } }), services)) as {
      readonly body: object;
    };
    expect(body).to.deep.equal({ ...first, inputSchema: entry("first").inputSchema });
  });

  it("tells the state in a conversation", async () => {
    asked.length = 0;
    await listTools.handle(endpointRequest({ query: { conversationId: "notes" } }), services);
    await getTool.handle(
      endpointRequest({ params: { name: "first" }, query: { conversationId: "notes" } }),
      services,
    );
    expect(asked).to.deep.equal(["id of notes", "id of notes"]);
  });

  it("switches one, for all or in a conversation, and shows it as it is then", async () => {
    const switched: unknown[] = [];
    const others = fakeServices({
      conversations: { idOf: (id) => `id of ${id}` },
      tools: {
        list: async () => [entry("first", { enabled: switched.length === 0 })],
        enable: async (...given) => void switched.push(given),
      },
    });
    const request = (body: object) => endpointRequest({ params: { name: "first" }, body });
    const { caller } = endpointRequest();
    const { body } = (await switchTool.handle(request({ enabled: false }), others)) as {
      readonly body: object;
    };
    await switchTool.handle(request({ enabled: true, conversationId: "notes" }), others);
    expect(body).to.deep.equal({ success: true, tool: { ...first, enabled: false } });
    expect(switched).to.deep.equal([
      ["first", false, { conversationId: undefined, caller }],
      ["first", true, { conversationId: "id of notes", caller }],
    ]);
  });

  it("names the nearest for one that is not there", async () => {
    const error = await Promise.resolve(
      getTool.handle(endpointRequest({ params: { name: "secnd" } }), services),
    ).catch((reason: unknown) => reason);
    expect(AppError.is(error) && [error.code, error.message]).to.deep.equal([
      "not_found",
      'There is no tool family "secnd". Did you mean "second"?',
    ]);
  });
});
