import path from "node:path";
import { expect } from "chai";
import { officialPlugins, type Stage } from "../support/host.ts";
import {
  approvals,
  calling,
  eventually,
  openLab,
  outcomesOf,
  play,
  saying,
  sentTo,
} from "../support/lab-stage.ts";
import { root } from "../architecture/tree.ts";

const script = path.join(root, "plugins/bridge-mcp-client/test/servers/sample-server.mjs");
const servers = {
  sample: { command: process.execPath, args: [script], effects: { facts: "read" } },
  gone: { command: "/no/such/program" },
};

interface Listed {
  readonly tools: readonly {
    readonly name: string;
    readonly available: boolean;
    readonly unavailableReason: string | null;
  }[];
}

describe("tools of MCP servers", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { plugins: officialPlugins(), settings: { mcp: { servers } } });
  });
  after(() => stage.end());

  const execute = async (tool: string, args: object = {}, more: object = {}) =>
    (
      await stage.host.json<{ success: boolean; result: string; error_code?: string }>(
        "POST",
        "/debug/mcp/execute",
        {
          tool,
          arguments: args,
          ...more,
        },
      )
    ).body;

  it("are families of the host, and a server that is missing holds up nobody", async () => {
    const tools: Listed["tools"] = await stage.host.services.tools.list();
    const mine = tools.filter(({ name }) => name.startsWith("mcp_"));
    expect(mine.map(({ name, available }) => [name, available])).to.deep.equal([
      ["mcp_sample", true],
      ["mcp_gone", false],
      ["mcp_servers", true],
    ]);
    expect(mine[1]?.unavailableReason).to.include("There is no such program");
  });

  it("are offered to models and called by them; what the operator calls reading needs no approval", async () => {
    const call = { name: "mcp_sample", arguments: { operation: "facts" } };
    const { body } = await play(stage, [calling(call), saying("42.")]);
    const [outcome] = await outcomesOf(stage.host, body.service_metadata.conversation_id);
    expect(outcome).to.include({ success: true, data: '{"answer":42}' });
    expect(JSON.stringify(sentTo(stage.provider, -1))).to.include("answer");
    const offered = (stage.provider.requests.at(-1)?.body as { tools: { function: { name: string } }[] })
      .tools;
    expect(offered.map((tool) => tool.function.name))
      .to.include("mcp_sample")
      .and.not.to.include("mcp_gone");
  });

  it("are asked about, whatever the server says of them", async () => {
    const waiting = await execute("mcp_sample.add_numbers", { a: 1, b: 2 });
    expect(waiting).to.include({ success: false, error_code: "approval_required" });
    const [approval] = await approvals(stage.host, "?status=pending");
    await stage.host.services.approvals.answer(approval?.id ?? "", { approved: true });
    const result = await eventually(
      async () => (await stage.host.services.approvals.get(approval?.id ?? "")).result ?? undefined,
    );
    expect(result).to.include({ success: true, data: "sum 3" });
  });

  it("have their arguments checked by the host", async () => {
    const mine = { isUserInitiated: true };
    expect(await execute("mcp_sample.add_numbers", { a: 1 }, mine)).to.include({
      error_code: "missing_required",
    });
    expect(await execute("mcp_sample.add_numbers", { a: "x", b: 1 }, mine)).to.include({
      error_code: "invalid_value",
    });
    expect(
      await execute("mcp_sample.add-numbers", { a: "1", b: 1, operation_argument: "total" }, mine),
    ).to.include({ result: "total 2" });
    expect(await execute("add_numbers", { a: 1, b: 1 }, mine)).to.include({ error_code: "not_found" });
  });

  it("are known at the next start without their server", async () => {
    await stage.host.restart();
    const [status] = JSON.parse((await execute("mcp_servers.list_servers")).result) as {
      connected: boolean;
      tools: number;
    }[];
    expect(status).to.include({ connected: false, tools: 13 });
    expect(await execute("mcp_sample.facts")).to.include({ success: true, result: '{"answer":42}' });
  });

  it("end with the host", async () => {
    const { result } = await execute("mcp_sample.environment", {}, { isUserInitiated: true });
    const { pid } = JSON.parse(result) as { pid: number };
    await stage.host.restart();
    expect(() => process.kill(pid, 0)).to.throw("ESRCH");
  });
});
