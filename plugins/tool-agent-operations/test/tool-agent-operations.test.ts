import { expect } from "chai";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import type { Agent, InboxMessage } from "../agent.ts";
import { agentsOf } from "../agents-of.ts";
import plugin, { agentOperations } from "../index.ts";
import { FakeHost } from "./host.ts";

const operation = (name: string) => agentOperations.operations.find((each) => each.name === name)!;

describe("agent_operations, operation by operation", () => {
  let host: FakeHost;
  let context: ToolContext;
  beforeEach(async () => {
    host = new FakeHost();
    await host.open();
    context = contextOf("call_1");
  });

  function contextOf(callId: string): ToolContext {
    const run = { ...toolContext().run!, id: "run_above" };
    return { ...toolContext({ callId, conversationId: "c1", run }), clock: host.clock };
  }
  const call = async <T>(name: string, args: object = {}, callId = "call_1"): Promise<T> =>
    (await runOperation(operation(name), args as Record<string, unknown>, { ...context, callId })).data as T;
  const failing = async (name: string, args: object = {}, callId = "call_1"): Promise<unknown> =>
    call(name, args, callId).then(
      () => undefined,
      (error: unknown) => (ToolError.is(error) ? error.code : error),
    );
  const spawn = async (callId: string, more: object = {}) =>
    (await call<{ agent_id: string }>("spawn", { task: "Look", ...more }, callId)).agent_id;
  const agents = () => agentsOf(context);
  const record = async (id: string) => (await host.collection<Agent>("agents").get(id))!;

  it("does each of them as it is documented", async () => {
    const spawned = await call<Record<string, string>>("spawn", { task: "Look" });
    const agent_id = spawned["agent_id"] ?? "";
    expect(spawned).to.deep.equal({
      agent_id,
      run_id: "run_1",
      conversation_id: (await record(agent_id)).conversationId,
      status: "running",
    });
    expect(host.started[0]?.parent).to.deep.equal({
      runId: "run_above",
      tool: "agent_operations",
      conversationId: "c1",
      outlived: false,
    });
    expect(host.started[0]?.builtinTools).to.deep.equal(["file_operations"]);
    const entry = { agent_id, status: "running", iterations: 1 };
    expect(await call("list")).to.deep.equal({ agents: [{ ...entry, task: "Look" }] });
    const last_activity = "2026-01-02T00:00:00.000Z";
    expect(await call("status", { agent_id })).to.deep.equal({ ...entry, last_activity, summary: "" });
    expect(await call("send", { agent_id, message: "More" })).to.deep.equal({ delivered: true });
    expect(await call("broadcast", { message: "All" })).to.deep.equal({ delivered: 1 });
    await agents().settle(host.end("run_1", "Seen."));
    expect(host.started[1]?.messages[1]?.content).to.equal("More\n\nAll");
    const { messages } = await call<{ messages: InboxMessage[] }>("inbox");
    expect(messages).to.deep.equal([
      { id: "msg_1", agent_id, time: "2026-01-01T00:00:02.500Z", text: "Seen." },
    ]);
    expect(await call("acknowledge", { message_ids: ["msg_1"] })).to.deep.equal({ acknowledged: 1 });
    expect(await call("inbox")).to.deep.equal({ messages: [] });
    expect(await call("history", { agent_id })).to.have.nested.property("messages[0].text", "Seen.");
    expect(await call("kill", { agent_id })).to.deep.equal({ agent_id, status: "ended" });
    expect(host.cancelled).to.deep.equal(["run_2"]);
    await spawn("call_2", { persistent: true });
    expect(await call("killall")).to.deep.equal({ killed: 1 });
    expect(await call("list")).to.have.nested.property("agents[1].status", "ended");
  });

  it("waits, and gives the summary with how long it took", async () => {
    const waiting = call<object>("spawn", { task: "Look", wait: true });
    while (host.started.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(host.started[0]?.parent?.callId).to.equal("call_1");
    host.end("run_1", "Seen.");
    expect(await waiting).to.include({ status: "ended", summary: "Seen.", iterations: 1, duration: 2.5 });
    expect(await call("inbox")).to.deep.equal({ messages: [] });
  });

  it("starts nothing twice for one call", async () => {
    const first = await spawn("call_1");
    expect(await spawn("call_1")).to.equal(first);
    expect(host.started).to.have.lengthOf(1);
    expect(operation("spawn").recovery).to.equal("repeat");
  });

  it("refuses what is too many, unknown or ended, and works without a run", async () => {
    const [first] = [await spawn("call_1"), await spawn("call_2")];
    expect(await failing("spawn", { task: "x" }, "call_3")).to.equal("conflict");
    expect(await failing("status", { agent_id: "agent_none" })).to.equal("not_found");
    await call("kill", { agent_id: first });
    expect(await failing("send", { agent_id: first, message: "x" })).to.equal("conflict");
    context = { ...context, run: null };
    expect(await failing("list")).to.equal(undefined);
    context = toolContext();
    expect(await failing("list")).to.equal("unavailable");
  });

  it("lets an agent have no agents below agents.max_depth", async () => {
    const { conversationId } = await record(await spawn("call_1"));
    context = { ...context, conversationId };
    expect(await failing("spawn", { task: "x" }, "call_2")).to.equal("permission_denied");
  });

  it("keeps what an idle host was told: a summary is stored once, whoever settles it", async () => {
    const id = await spawn("call_1", { persistent: true });
    const run = host.end("run_1", "Seen.");
    await Promise.all([agents().settle(run), agents().settle(run), agents().settle(run)]);
    expect((await call<{ messages: unknown[] }>("inbox")).messages).to.have.lengthOf(1);
    expect(await record(id)).to.include({ state: "idle", summary: "Seen." });
  });

  describe("with another host on the same storage", () => {
    const openOther = async () => {
      const other = new FakeHost(host);
      await other.open();
      return other;
    };

    it("finds what has come to the inbox there", async () => {
      const other = await openOther();
      const id = await spawn("call_1");
      other.runs.set("run_1", host.runs.get("run_1")!);
      await agentsOf(other).settle(other.end("run_1", "Seen."));
      const { messages } = await call<{ messages: InboxMessage[] }>("inbox");
      expect(messages.map(({ text }) => text)).to.deep.equal(["Seen."]);
      expect(await record(id)).to.include({ state: "ended", summary: "Seen." });
    });

    it("loses nothing that both store at the same time", async () => {
      const id = await spawn("call_1", { persistent: true });
      const other = await openOther();
      other.runs.set("run_1", host.runs.get("run_1")!);
      const settled = agentsOf(other).settle(other.end("run_1", "Seen."));
      await Promise.all([call("send", { agent_id: id, message: "More" }), settled]);
      const { summary, waiting } = await record(id);
      expect([summary, waiting]).to.deep.equal(["Seen.", ["More"]]);
    });

    it("leaves an agent alone that another host is about to start", async () => {
      const id = await spawn("call_1");
      await host.collection<Agent>("agents").put({ ...(await record(id)), runId: null });
      await openOther();
      expect(await record(id)).to.include({ runId: null });
    });
  });

  describe("after a crash", () => {
    it("settles a run whose end nobody had noted, and keeps what is acknowledged so", async () => {
      const id = await spawn("call_1");
      host.end("run_1", "Seen.");
      await host.open();
      expect(await record(id)).to.include({ state: "ended", summary: "Seen." });
      await call("acknowledge", { message_ids: ["msg_1"] });
      await host.collection<Agent>("agents").put({ ...(await record(id)), state: "working" });
      await host.open();
      expect(await call("inbox")).to.deep.equal({ messages: [] });
      expect((await record(id)).state).to.equal("ended");
    });

    it("finds the run that was started and not noted", async () => {
      const id = await spawn("call_1");
      await host.collection<Agent>("agents").put({ ...(await record(id)), runId: null });
      await host.open();
      expect(await record(id)).to.include({ runId: "run_1", state: "working" });
    });

    it("forgets an agent that had never begun, and one whose conversation above is gone", async () => {
      const id = await spawn("call_1");
      host.runs.delete("run_1");
      await host.open();
      expect(await call("list")).to.deep.equal({ agents: [] });
      expect(host.conversations.size).to.equal(1);
      expect(await spawn("call_1")).to.equal(id);
      host.conversations.delete("c1");
      await host.open();
      expect(await call("list")).to.deep.equal({ agents: [] });
      expect(host.conversations.size).to.equal(0);
    });

    it("starts nothing while the host starts: what an agent was sent waits", async () => {
      const id = await spawn("call_1", { persistent: true });
      await call("send", { agent_id: id, message: "More" });
      host.end("run_1", "Seen.");
      await host.open();
      expect(host.started).to.have.lengthOf(1);
      expect(await record(id)).to.deep.include({ state: "idle", waiting: ["More"] });
      await call("send", { agent_id: id, message: "Again" });
      expect(host.started[1]?.messages[1]?.content).to.equal("More\n\nAgain");
    });
  });
});

describe("the family agent_operations", () => {
  it("advertises seven operations and knows all their other names", () => {
    const shown = agentOperations.operations.filter(({ hidden }) => hidden !== true).map(({ name }) => name);
    expect(shown).to.deep.equal(["spawn", "list", "inbox", "status", "kill", "send", "broadcast"]);
    const names = [
      "spawn_agent",
      "list_agents",
      "agent_inbox",
      "agent_status",
      "kill_agent",
      "send_to_agent",
      "broadcast_agents",
    ];
    expect(Object.entries(agentOperations.aliases ?? {})).to.deep.equal(
      names.map((name, index) => [name, shown[index]]),
    );
    expect(agentOperations.shortcuts).to.deep.equal({
      run_subagent: { operation: "spawn", arguments: { wait: true } },
    });
  });

  it("writes to the service's own store only, and says what may be repeated", () => {
    const writes = agentOperations.operations.filter(({ effect }) => effect === "write");
    expect(writes.map(({ name }) => name)).to.deep.equal([
      "spawn",
      "kill",
      "send",
      "broadcast",
      "killall",
      "acknowledge",
    ]);
    expect(writes.every(({ place }) => place === "own")).to.equal(true);
    expect(
      writes.filter(({ recovery }) => recovery === "repeat").map(({ name }) => name),
    ).to.not.include.members(["send", "broadcast"]);
    expect(plugin.collections).to.have.keys("agents", "inbox");
  });
});
