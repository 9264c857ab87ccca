import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { sentBody } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { approvals, calling, eventually, saying } from "../support/lab-stage.ts";
import { execute } from "../support/tool-scene.ts";
import { verifies } from "../support/verifies.ts";

interface Spawned {
  readonly agent_id: string;
  readonly run_id: string;
  readonly conversation_id: string;
  readonly status: string;
  readonly summary?: string;
}

describe("agents that a person starts by hand (T14)", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(undefined, { settings: { "tools.disabled": [] } });
  });
  after(() => stage.end());

  const agents = async <T>(operation: string, args: object = {}): Promise<T> => {
    const { toolResult } = await execute(stage, "agent_operations", { operation, ...args });
    expect(toolResult, JSON.stringify(toolResult)).to.include({ success: true });
    return JSON.parse(toolResult.data ?? "") as T;
  };

  verifies(
    ["debug:execute", "agents:run"],
    "run with the conversation's model and the tools that are on",
    async () => {
      stage.provider.play(chatReply({ text: "Counted: 7." }));
      const spawned = await agents<Spawned>("spawn", { task: "Count the files.", wait: true });
      expect(spawned).to.deep.include({ status: "ended", summary: "Counted: 7." });
      const { tools = [], messages } = sentBody(stage);
      expect(JSON.stringify(messages)).to.include("Count the files.");
      const names = tools.map((tool) => tool.function.name);
      expect(names).to.include("file_operations").and.not.include.members(["agent_operations"]);
      const run = await stage.host.services.runs.get(spawned.run_id);
      expect(run).to.include({ kind: "subagent", parentRunId: null, completionReason: "workflow_complete" });
    },
  );

  verifies("debug:execute", "report to the inbox, take messages and are ended by hand", async () => {
    stage.provider.play(chatReply({ text: "First." }));
    const { agent_id, run_id } = await agents<Spawned>("spawn", { task: "Think.", persistent: true });
    await stage.host.services.runs.live(run_id)?.done;
    await eventually(async () => {
      const { messages } = await agents<{ messages: { agent_id: string; text: string }[] }>("inbox");
      return messages.find((message) => message.agent_id === agent_id)?.text.includes("First.") || undefined;
    });
    stage.provider.play(chatReply({ text: "Second." }));
    await agents("send", { agent_id, message: "And now?" });
    await eventually(async () => {
      const { summary } = await agents<{ summary: string }>("status", { agent_id });
      return summary.includes("Second.") || undefined;
    });
    expect(await agents<{ status: string }>("kill", { agent_id })).to.include({ status: "ended" });
  });

  verifies("debug:execute", "ask before they change what lies outside their folder", async () => {
    const call = {
      name: "file_operations",
      arguments: { operation: "create_file", filePath: "/tmp/pergola-by-hand.txt", content: "x" },
    };
    stage.provider.play([calling(call), saying("I may not.")]);
    const { run_id } = await agents<Spawned>("spawn", { task: "Write it." });
    const approval = await eventually(async () => (await approvals(stage.host, "?status=pending"))[0]);
    expect(approval).to.include({ runId: run_id });
    await stage.host.services.approvals.answer(approval.id, { approved: false });
    await stage.host.services.runs.live(run_id)?.done;
    expect((await stage.host.services.runs.get(run_id)).completionReason).to.equal("workflow_complete");
  });
});
