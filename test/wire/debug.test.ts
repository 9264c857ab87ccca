import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { officialPlugins, type Stage } from "../support/host.ts";
import {
  answer,
  approvals,
  eachItsLab,
  eventually,
  labPlugin,
  openLab,
  type Outcome,
  type WireApproval,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { verifies } from "../support/verifies.ts";

interface Executed {
  readonly success: boolean;
  readonly result: string;
  readonly output: string;
  readonly execution_time_ms: number;
  readonly toolName: string;
  readonly executionId: string;
  readonly toolResult: Outcome;
  readonly error?: string;
  readonly error_code?: string;
  readonly toolCallId?: string;
  readonly approvalId?: string;
}

interface ToolList {
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly enabled: boolean;
    readonly operation_count: number;
    readonly parameterCount: number;
    readonly inputSchema: {
      readonly type: string;
      readonly required: readonly string[];
      readonly properties: Readonly<Record<string, { enum: string[] }>>;
    };
  }[];
  readonly [field: string]: unknown;
}

/** Lets everybody in; who comes by a proxy counts as somebody on another computer. */
const openDoor = {
  use: writePlugin(temporaryFolder(), {
    id: "policy-open",
    kind: "policy",
    provides: { hooks: ["authenticate"] },
    code: 'export default { register(host) { host.tap("authenticate", () => ({ kind: "token", name: "guest", root: null, remote: true, id: "guest", scopes: ["read", "chat", "tools", "approve", "admin"] })); } };',
  }),
  isolation: "trusted",
};
const plugins = [...officialPlugins(), labPlugin, openDoor];

describe("debug routes", () => {
  const open = eachItsLab();
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { plugins });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const post = async (body: object) => stage.host.json<Executed>("POST", "/debug/mcp/execute", body);
  const execute = async (tool: string, args: unknown, more: object = {}): Promise<Executed> => {
    const { status, body } = await post({ tool, arguments: args, ...more });
    expect(status).to.equal(200);
    return body;
  };

  verifies(["debug:tools", "T19"], "list the tools with their schemas, and counts that agree", async () => {
    const { body } = await stage.host.json<ToolList>("GET", "/debug/mcp/tools");
    expect([body["initialized"], body["count"]]).to.deep.equal([true, body.tools.length]);
    const names = body.tools.map(({ name }) => name);
    const shipped = [
      "think",
      "increase_max_iterations",
      "read_tool_result",
      "user_collaboration",
      "file_operations",
    ];
    expect(names).to.include.members(shipped);
    for (const { inputSchema, parameterCount } of body.tools) {
      expect(inputSchema.type).to.equal("object");
      expect(parameterCount).to.equal(Object.keys(inputSchema.properties).length);
    }
    const files = body.tools.find(({ name }) => name === "file_operations")?.inputSchema;
    expect(files?.required).to.deep.equal(["operation"]);
    expect(files?.properties["operation"]?.enum).to.have.lengthOf(18);
    const available = (await stage.host.json<ToolList>("GET", "/debug/tools/available")).body;
    expect(available.tools.map(({ name }) => name)).to.deep.equal(names);
    const enabled = available.tools.filter((tool) => tool.enabled).length;
    expect(available).to.include({
      total_tools: names.length,
      enabled_tools: enabled,
      disabled_tools: names.length - enabled,
      mcpToolsCount: names.length,
    });
    for (const { name, operation_count: count } of available.tools) {
      const operations = body.tools.find((tool) => tool.name === name)?.inputSchema.properties["operation"]
        ?.enum;
      expect(count, name).to.equal(operations?.length);
    }
    expect(available["mcpToolNames"]).to.deep.equal(names);
    expect(available["toolsDescription"]).to.include("file_operations");
  });

  verifies(["debug:execute", "T15"], "always answer 200 with a text, also when the tool fails", async () => {
    lab.texts.set("json", '{"a":1}');
    const done = await execute("lab", { operation: "peek", name: "json" });
    expect(done).to.deep.include({ success: true, result: '{"a":1}', output: '{"a":1}', toolName: "lab" });
    expect(done.toolResult).to.deep.include({ success: true, data: '{"a":1}' });
    expect(done.executionId).to.match(/^call_/);
    expect(done.execution_time_ms).to.be.a("number");
    const failed = await execute("lab", { operation: "peek", name: "x", fail: "not_found" });
    expect(failed).to.deep.include({
      success: false,
      result: "x failed",
      error: "x failed",
      error_code: "not_found",
    });
    expect(failed.toolResult.message).to.equal("Try another name.");
    const unknown = await execute("nothing", {});
    expect([unknown.success, typeof unknown.result, unknown.error_code]).to.deep.equal([
      false,
      "string",
      "not_found",
    ]);
    const elsewhere = await execute("lab", { operation: "peek", name: "x" }, { conversationId: "nobody" });
    expect([elsewhere.success, typeof elsewhere.result]).to.deep.equal([false, "string"]);
    for (const body of ["{", {}, { tool: "" }, { tool: 3 }, []])
      expect((await post(body as object)).status).to.equal(400);
    expect((await post({ arguments: {} })).status).to.equal(400);
  });

  verifies(
    ["debug:execute", "T11", "T12"],
    "take every name of a tool, each leading to a real operation",
    async () => {
      const names = ["lab.peek", "LAB.Peek", "lab-spare", "lab_peek", "lab.look"];
      for (const name of names) expect((await execute(name, { name: "n" })).success, name).to.equal(true);
      const { body } = await post({ tool_name: "lab", parametersJson: '{"operation":"peek","name":"n"}' });
      expect(body.success).to.equal(true);
      expect(
        (await post({ toolName: "lab", parameters: { operation: "peek", name: "n" } })).body.success,
      ).to.equal(true);
      const aliases =
        "file_search list_dir read_file write_file create_file delete_file grep_search semantic_search file_exists get_file_info rename_file append_file replace_string multi_replace_string insert_at_line create_directory get_errors list_dir_recursive";
      for (const alias of [...aliases.split(" "), "interact", "request_input"]) {
        const { error_code: code } = await execute(alias, { none: 1 });
        expect(["missing_required", "approval_required", undefined], alias).to.include(code);
      }
    },
  );

  verifies(
    ["debug:execute", "T14"],
    "take arguments as text, and values of another type where they can be read",
    async () => {
      const text = await execute("lab", '{"operation":"peek","name":"text"}');
      expect(text.result).to.equal("did text");
      const coerced = { operation: "wipe", name: 7, times: "3", gate: "false", parts: "one" };
      await execute("lab", coerced);
      const [asked] = await approvals(stage.host);
      expect(asked?.arguments).to.deep.include({ name: "7", times: 3, gate: false, parts: ["one"] });
      const wrong = await execute("lab", { operation: "peek", name: "x", times: "many" });
      expect(wrong).to.include({ success: false, error_code: "invalid_value" });
      expect(wrong.error).to.include("times");
      for (const bad of ["{", "[1]", '"x"'])
        expect((await execute("lab", bad)).error_code, bad).to.equal("invalid_json");
      const unknown = await execute("lab", { operation: "peek", name: "x", colour: "red" });
      expect([unknown.success, unknown.toolResult.message.includes("colour")]).to.deep.equal([true, true]);
    },
  );

  verifies(
    ["debug:execute", "T17"],
    "list the operations and one right call when the operation is missing or unknown",
    async () => {
      for (const args of [{ name: "x" }, { operation: "fly", name: "x" }]) {
        const { error_code: code, toolResult } = await execute("lab", args);
        expect(code).to.equal("invalid_operation");
        for (const operation of ["peek", "keep", "wipe"]) expect(toolResult.message).to.include(operation);
        const example = /\{.*\}/.exec(toolResult.message)?.[0] ?? "";
        expect((await execute("lab", example)).success).to.equal(true);
      }
      const missing = await execute("lab", { operation: "peek" });
      expect(missing.error_code).to.equal("missing_required");
      expect(`${missing.error ?? ""} ${missing.toolResult.message}`).to.include("name");
      expect((await execute("think", { thought: "Hm." })).result).to.equal("Hm.");
    },
  );

  verifies(
    "debug:approval",
    "block a risky call, which runs when it is approved; its record holds the result",
    async () => {
      const blocked = await execute("lab.wipe", { name: "later" });
      expect(blocked).to.include({ success: false, error_code: "approval_required" });
      const [listed] = await approvals(stage.host, "?conversationId=debug&status=pending").then((all) =>
        all.filter(({ id }) => id === blocked.approvalId),
      );
      expect(listed).to.include({ toolCallId: blocked.toolCallId, runId: null, result: null });
      expect(lab.log).to.deep.equal([]);
      const given = await answer(stage.host, blocked.toolCallId ?? "", { userResponse: "yes" });
      expect(given.body.decision).to.equal("approved");
      const { result } = await eventually(async () => {
        const { body } = await stage.host.json<WireApproval>(
          "GET",
          `/api/approvals/${blocked.approvalId ?? ""}`,
        );
        return body.result === null ? undefined : body;
      });
      expect(result).to.include({ success: true, data: "did later" });
      expect(lab.log).to.deep.equal(["start later", "end later"]);
    },
  );

  verifies("debug:approval", "hold the answer open for waitSeconds", async () => {
    const begun = performance.now();
    const waits = execute("lab.wipe", { name: "soon" }, { waitSeconds: 600 });
    const shown = await eventually(async () =>
      (await approvals(stage.host)).find(({ arguments: args }) => args["name"] === "soon"),
    );
    await answer(stage.host, shown.toolCallId, { approved: true });
    expect((await waits).result).to.equal("did soon");
    const denied = execute("lab.wipe", { name: "never" }, { waitSeconds: 600 });
    const second = await eventually(async () =>
      (await approvals(stage.host)).find(({ arguments: args }) => args["name"] === "never"),
    );
    await answer(stage.host, second.toolCallId, { approved: false, userResponse: "not that one" });
    expect(await denied).to.include({ success: false, error_code: "denied" });
    expect((await denied).error).to.include("not that one");
    expect(performance.now() - begun).to.be.below(5000);
    for (const waitSeconds of [-1, 601, "5"])
      expect((await post({ tool: "lab.peek", arguments: { name: "x" }, waitSeconds })).status).to.equal(400);
  });

  verifies("debug:execute", "make the hidden conversation once, also for calls at once", async () => {
    const fresh = await open();
    const all = await Promise.all(
      [1, 2, 3].map(() =>
        fresh.host.json<Executed>("POST", "/debug/mcp/execute", {
          tool: "lab.peek",
          arguments: { name: "x" },
        }),
      ),
    );
    const { count } = (
      await fresh.host.json<{ count: number }>("GET", "/v1/conversations?includeHidden=true")
    ).body;
    expect(all.map(({ body }) => body.success)).to.deep.equal([true, true, true]);
    expect(count).to.equal(1);
  });
});

describe("debug routes for callers on other computers", () => {
  const open = eachItsLab();
  const far = { "x-forwarded-for": "203.0.113.9" };
  const call = { tool: "lab.wipe", arguments: { name: "far" }, isUserInitiated: true };

  verifies(
    "debug:loopback",
    "are closed, unless debug.allow_remote opens them; nobody there is the person",
    async () => {
      for (const allowed of [false, true]) {
        const stage = await open({ plugins, settings: { "debug.allow_remote": allowed } });
        const replies = [
          await stage.host.request("GET", "/debug/mcp/tools", undefined, far),
          await stage.host.request("GET", "/debug/tools/available", undefined, far),
          await stage.host.request("POST", "/debug/mcp/execute", call, far),
        ];
        const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as {
          error_code?: string;
          error?: { code: string };
        }[];
        const near = await stage.host.json<Executed>("POST", "/debug/mcp/execute", call);
        expect(replies.map(({ status }) => status)).to.deep.equal(Array(3).fill(allowed ? 200 : 403));
        if (!allowed)
          expect(bodies.map(({ error }) => error?.code)).to.deep.equal(Array(3).fill("remote_not_allowed"));
        else expect(bodies[2]?.error_code).to.equal("approval_required");
        expect(near.body.success).to.equal(true);
      }
    },
  );
});
