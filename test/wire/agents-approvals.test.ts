import { allChunks, chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import {
  agentRun,
  beginWith,
  byHand,
  cast,
  openAgents,
  spawning,
  type InboxEntry,
} from "../support/agent-stage.ts";
import { ask, type Stage } from "../support/host.ts";
import {
  answer,
  approvals,
  calling,
  eventually,
  labCall,
  outcomesOf,
  pendingIn,
  runOf,
  runWith,
  saying,
  type WireApproval,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

type Shown = WireApproval & { readonly parentToolName?: string };

describe("the questions of sub-agents", () => {
  let stage: Stage;
  before(async () => {
    stage = await openAgents();
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const wipes = [chatReply({ toolCalls: [labCall("wipe", "inside")] }), saying("Wiped.")];

  verifies(
    "agents:approvals",
    "stand in the stream and the list of the conversation above, and are answered there",
    async () => {
      stage.provider.play(cast([spawning({ task: "Wipe", wait: true }), saying("Done.")], { Wipe: wipes }));
      const body = ask("Go", {
        conversationId: "above",
        stream: true,
        service_config: { enable_workflow_mode: true },
      });
      const streamed = stage.host.request("POST", "/api/chat/completions", body).then(allChunks);
      const shown = (await pendingIn(stage.host, "above")) as Shown;
      const [own, above] = [
        await agentRun(stage.host, "waiting"),
        await runWith(stage.host, "above", "waiting"),
      ];
      expect(shown).to.include({
        runId: own.id,
        conversationId: above.conversationId,
        parentToolName: "agent_operations",
        operation: "wipe",
      });
      expect(above.pendingToolCallIds).to.deep.equal([shown.toolCallId]);
      const busy = await stage.host.json<{ error: { code: string; details: object } }>(
        "POST",
        "/api/chat/completions",
        {
          ...ask("And?", { conversationId: "above" }),
        },
      );
      expect([busy.body.error.code, busy.body.error.details]).to.deep.equal([
        "approval_pending",
        { toolCallId: shown.toolCallId },
      ]);
      expect(
        (await answer(stage.host, shown.toolCallId, { approved: true, conversationId: "above" })).status,
      ).to.equal(200);

      const chunks = await streamed;
      const asked = chunks.find(({ event }) => event?.type === "user_input_required")?.event;
      expect(asked).to.include({
        toolCallId: shown.toolCallId,
        parentToolName: "agent_operations",
        conversationId: above.conversationId,
      });
      expect(chunks.find(({ event }) => event?.type === "user_input_resolved")?.event).to.include({
        decision: "approved",
      });
      const statuses = chunks.flatMap((chunk) =>
        chunk["toolName"] === "lab" ? [[chunk["toolStatus"], chunk["parentToolName"]]] : [],
      );
      const stages = ["userInputRequired", "running", "success"];
      expect(statuses).to.deep.equal(stages.map((status) => [status, "agent_operations"]));
      const own2 = chunks.filter((chunk) => chunk["toolName"] === "agent_operations");
      expect(own2.map((chunk) => chunk["parentToolName"])).to.deep.equal([undefined, undefined]);
      const said = chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? "").join("");
      expect(said).to.match(/^\[Waiting for your approval: lab\.wipe\. .*\]\n\nDone\.$/);
      expect(lab.log).to.deep.equal(["start inside", "end inside"]);
    },
  );

  verifies("agents:approvals", "do not hold up the run above when it has not waited", async () => {
    stage.provider.play(
      cast([spawning({ task: "Ask" }), calling(labCall("peek", "mine", { gate: true })), saying("On.")], {
        Ask: [chatReply({ toolCalls: [labCall("wipe", "asked")] }), saying("Wiped.")],
      }),
    );
    beginWith(stage, "on");
    const { toolCallId } = await pendingIn(stage.host, "on");
    await lab.until("start mine");
    expect(await runOf(stage.host, "on")).to.deep.include({ status: "running", pendingToolCallIds: [] });
    await answer(stage.host, toolCallId, { approved: false, userResponse: "not that" });
    const [message] = await eventually(async () => {
      const { messages } = await byHand<{ messages: InboxEntry[] }>(stage.host, "on", "inbox");
      return messages.length > 0 ? messages : undefined;
    });
    expect(message?.text).to.equal("Wiped.");
    lab.open("mine");
    await runWith(stage.host, "on", "ended");
    expect(lab.log).to.not.include("start asked");
  });

  verifies(
    "agents:approvals",
    "are answered by the grants of the conversation above, and of no other",
    async () => {
      stage.provider.play(cast([calling(labCall("wipe", "first")), saying("ok")]));
      beginWith(stage, "granted");
      await answer(stage.host, (await pendingIn(stage.host, "granted")).toolCallId, {
        approved: true,
        grant: "conversation",
        paths: ["/"],
      });
      await runWith(stage.host, "granted", "ended");
      const script = () => cast([spawning({ task: "Grant", wait: true }), saying("ok")], { Grant: wipes });
      stage.provider.play(script());
      beginWith(stage, "granted");
      await lab.until("end inside");
      expect(await approvals(stage.host)).to.deep.equal([]);
      await eventually(async () =>
        (await runOf(stage.host, "granted")).status === "ended" ? true : undefined,
      );

      stage.provider.play(script());
      beginWith(stage, "other");
      const { toolCallId } = await pendingIn(stage.host, "other");
      await answer(stage.host, toolCallId, { approved: true, grant: "conversation", paths: ["/"] });
      await runWith(stage.host, "other", "ended");
      const { body } = await stage.host.json<{ grants: { conversationId: string }[] }>(
        "GET",
        "/api/grants?conversationId=other",
      );
      expect(body.grants).to.have.lengthOf(1);
      expect(lab.count("start inside")).to.equal(2);
    },
  );

  verifies("agents:approvals", "of an agent's agent come up to the person all the same", async () => {
    const deep = await openAgents({ settings: { "agents.max_depth": 2 } });
    try {
      const middle = [spawning({ task: "Bottom", wait: true }), saying("Middle.")];
      deep.provider.play(
        cast([spawning({ task: "Middle", wait: true, enableWorkflowMode: true }), saying("Top.")], {
          Middle: middle,
          Bottom: wipes,
        }),
      );
      beginWith(deep, "top");
      const shown = (await pendingIn(deep.host, "top")) as Shown;
      expect(shown.parentToolName).to.equal("agent_operations");
      expect((await runWith(deep.host, "top", "waiting")).pendingToolCallIds).to.deep.equal([
        shown.toolCallId,
      ]);
      await answer(deep.host, shown.toolCallId, { approved: true });
      await runWith(deep.host, "top", "ended");
      const [outcome] = await outcomesOf(deep.host, "top");
      expect(JSON.parse(outcome?.data ?? "{}")).to.include({ summary: "Middle." });
    } finally {
      await deep.end();
    }
  });
});
