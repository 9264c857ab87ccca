import { expect } from "chai";
import {
  AppError,
  type Caller,
  type EndpointAnswer,
  type HandCall,
  type PluginStatus,
  type Route,
  type ToolEntry,
  type ToolResult,
} from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { executeTool } from "../routes/execute-tool.ts";
import { listAvailable } from "../routes/list-available.ts";
import { listTools } from "../routes/list-tools.ts";

const here: Caller = endpointRequest().caller;
const elsewhere: Caller = { ...endpointRequest().caller, kind: "token", remote: true, id: "token" };
const inputSchema = {
  type: "object",
  properties: { operation: { enum: ["read_file"] }, filePath: { type: "string" } },
} as const;
const fileTool: ToolEntry = {
  name: "file_operations",
  description: "Files.",
  enabled: true,
  enabledByDefault: true,
  available: true,
  unavailableReason: null,
  operations: [
    { name: "read_file", effect: "read" },
    { name: "create_file", effect: "write" },
  ],
  inputSchema,
  source: "tool-file-operations",
};
const terminal: ToolEntry = {
  ...fileTool,
  name: "terminal_operations",
  description: "Commands.",
  enabled: false,
  operations: [{ name: "run_command", effect: "execute" }],
};

const fault = "tool-broken, import: no luck. Correct it.";
const broken: PluginStatus = {
  id: "tool-broken",
  kind: "tool",
  version: "1.0.0",
  description: "",
  official: false,
  folder: "/plugins/tool-broken",
  tier: "isolated",
  sandbox: null,
  state: "left out",
  fault,
  problem: { message: "tool-broken, import: no luck", remedy: "Correct it." },
  provides: {},
  permissions: {},
  settings: {},
  effects: null,
  digest: null,
  pinned: "no",
  strikes: [],
  rolledBack: null,
  canDisable: true,
  canRetry: false,
  restartRequired: false,
  hooks: [],
};

const lastError = "policy-failing, shapeChat: no luck";
const failing: PluginStatus = {
  ...broken,
  id: "policy-failing",
  state: "running",
  fault: null,
  problem: null,
  hooks: [
    { name: "runEnded", calls: 3, milliseconds: 1, failures: 0 },
    { name: "shapeChat", calls: 3, milliseconds: 1, failures: 2, lastError },
  ],
};

const display = { action: "", actionDisplayName: "", summary: "", details: [], icon: "" };
let calls: HandCall[] = [];
let outcome: () => { readonly result: ToolResult; readonly approvalId?: string };
let allowRemote = false;

const services = fakeServices({
  system: { plugins: () => [broken, failing] },
  preferences: { get: <T>(key: string) => (key === "debug.allow_remote" && allowRemote) as T },
  tools: {
    list: async () => [fileTool, terminal],
    call: async (call) => {
      calls.push(call);
      return { tool: "file_operations", callId: "call_1", display, ...outcome() };
    },
  },
});

const body = { tool: "read_file", arguments: {}, waitSeconds: 0, isUserInitiated: false };
const bodyOf = (answer: EndpointAnswer) => ("body" in answer ? (answer.body as Record<string, unknown>) : {});
const ask = async (route: Route, given: object = {}) =>
  bodyOf(await route.handle(endpointRequest({ body, caller: here, ...given }), services));
const routes = (plugin.endpoints ?? []).flatMap((group) => group.routes);

describe("endpoint-debug", () => {
  beforeEach(() => {
    calls = [];
    allowRemote = false;
    outcome = () => ({ result: { success: true, data: "text", message: "ok" } });
  });

  for (const route of routes) {
    it(`${route.path} is for callers on this computer, unless debug.allow_remote`, async () => {
      const refused = await ask(route, { caller: elsewhere }).catch((cause: unknown) => cause);
      expect(refused).to.have.property("code", "remote_not_allowed");
      expect(calls).to.deep.equal([]);
      allowRemote = true;
      expect(await ask(route, { caller: elsewhere })).to.be.an("object");
    });
  }

  it("lists tools with their schemas", async () => {
    const shown = { name: "file_operations", description: "Files.", inputSchema, parameterCount: 2 };
    const other = { ...shown, name: "terminal_operations", description: "Commands." };
    expect(await ask(listTools)).to.deep.equal({ tools: [shown, other], count: 2, initialized: true });
  });

  it("T19: counts what it lists", async () => {
    expect(await ask(listAvailable)).to.deep.equal({
      total_tools: 2,
      enabled_tools: 1,
      disabled_tools: 1,
      tools: [
        { name: "file_operations", enabled: true, operation_count: 2 },
        { name: "terminal_operations", enabled: false, operation_count: 1 },
      ],
      plugins: [
        { id: "tool-broken", state: "left out", fault },
        { id: "policy-failing", state: "running", fault: lastError },
      ],
      toolsDescription: "file_operations: Files.\nterminal_operations: Commands.",
      mcpToolsCount: 2,
      mcpToolNames: ["file_operations", "terminal_operations"],
    });
  });
});

describe("POST /debug/mcp/execute", () => {
  beforeEach(() => {
    calls = [];
    outcome = () => ({ result: { success: true, data: "data", content: "file text", message: "ok" } });
  });

  it("gives a file's text as the result, before the data", async () => {
    const { execution_time_ms: time, ...rest } = await ask(executeTool);
    const toolResult = { success: true, data: "data", content: "file text", message: "ok" };
    expect(time).to.satisfy(Number.isInteger);
    expect(rest).to.deep.equal({
      success: true,
      result: "file text",
      output: "file text",
      toolName: "file_operations",
      executionId: "call_1",
      toolResult,
    });
  });

  it("T15: a failed tool is an answer, its error a string", async () => {
    const result = {
      success: false,
      error: "No such file.",
      error_code: "file_not_found",
      message: "Close: a.txt.",
    };
    outcome = () => ({ result });
    const answer = await ask(executeTool);
    expect(answer).to.deep.include({
      success: false,
      result: "No such file.",
      error: "No such file.",
      error_code: "file_not_found",
      toolResult: result,
    });
  });

  it("names call and approval of a call that waits", async () => {
    outcome = () => ({
      approvalId: "apr_1",
      result: { success: false, error: "It waits.", error_code: "approval_required", message: "" },
    });
    expect(await ask(executeTool)).to.include({
      success: false,
      error_code: "approval_required",
      toolCallId: "call_1",
      approvalId: "apr_1",
    });
  });

  it("answers a call that could not begin with success false, too", async () => {
    outcome = () => {
      throw new AppError({ code: "not_found", message: "There is no conversation." });
    };
    expect(await ask(executeTool)).to.include({
      success: false,
      result: "There is no conversation.",
      error_code: "not_found",
      toolName: "read_file",
    });
  });

  it("leaves faults of the service errors", async () => {
    outcome = () => {
      throw new AppError({ code: "storage_unavailable", message: "Gone." });
    };
    expect(await ask(executeTool).catch((cause: unknown) => cause)).to.have.property(
      "code",
      "storage_unavailable",
    );
  });

  it("hands on what was asked and its trace, and nothing else of the body", async () => {
    const asked = {
      ...body,
      conversationId: "c",
      workingDirectory: "/w",
      waitSeconds: 5,
      userInitiated: true,
      extra: 1,
    };
    await ask(executeTool, { body: asked, headers: { traceparent: "00-1-2-01" } });
    const { signal, ...call } = calls[0] ?? {};
    expect(signal).to.be.instanceOf(AbortSignal);
    expect(call).to.deep.equal({
      name: "read_file",
      arguments: {},
      conversationId: "c",
      workingDirectory: "/w",
      waitSeconds: 5,
      userInitiated: false,
      caller: here,
      trace: "00-1-2-01",
    });
  });

  it("believes isUserInitiated only from this computer", async () => {
    allowRemote = true;
    await ask(executeTool, { body: { ...body, isUserInitiated: true } });
    await ask(executeTool, { body: { ...body, isUserInitiated: true }, caller: elsewhere });
    expect(calls.map(({ userInitiated }) => userInitiated)).to.deep.equal([true, false]);
  });
});
