import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import {
  agentCall,
  agentRuns,
  agentsBecome,
  agentsIn,
  beginWith,
  byHand,
  callsOf,
  cast,
  chatWith,
  inboxOf,
  openAgents,
  spawning,
} from "../support/agent-stage.ts";
import type { Stage } from "../support/host.ts";
import {
  answer,
  approvals,
  calling,
  labCall,
  outcomesOf,
  pendingIn,
  runOf,
  runWith,
  saying,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

const settings = { storage: { type: "sqlite" } };
const holding = (name: string) => chatReply({ toolCalls: [labCall("peek", name, { gate: true })] });

describe("sub-agents over a restart", () => {
  let stage: Stage;
  const open = async (more: object = {}): Promise<void> => {
    stage = await openAgents({ settings: { ...settings, ...more } });
  };
  afterEach(async () => {
    lab.reset();
    await stage.end();
  });

  const resume = (id: string) => stage.host.request("POST", `/api/runs/${id}/resume`);
  const summaryIn = async (conversation: string): Promise<unknown> =>
    (
      JSON.parse((await outcomesOf(stage.host, conversation))[0]?.data ?? "{}") as {
        readonly summary?: string;
      }
    ).summary;

  verifies(
    "agents:restart",
    "are resumed with the run that waits for them, which gets the summary of the same agent",
    async () => {
      await open();
      stage.provider.play(cast([spawning({ task: "Cut", wait: true })], { Cut: [holding("cut")] }));
      beginWith(stage, "waited");
      await lab.until("start cut");
      const [before] = await agentsIn(stage.host, "waited");
      await stage.host.restart();
      expect(
        (await agentsIn(stage.host, "waited")).map(({ agent_id, status }) => [agent_id, status]),
      ).to.deep.equal([[before?.agent_id, "interrupted"]]);
      lab.open("cut");
      stage.provider.play(cast([saying("Got it.")], { Cut: [saying("Went on.")] }));
      const { id } = await runOf(stage.host, "waited");
      expect((await resume(id)).status).to.equal(200);
      expect(await runWith(stage.host, "waited", "ended")).to.include({
        id,
        completion_reason: "workflow_complete",
      });
      expect(await summaryIn("waited")).to.equal("Went on.");
      expect(
        (await agentsIn(stage.host, "waited")).map(({ agent_id, status }) => [agent_id, status]),
      ).to.deep.equal([[before?.agent_id, "ended"]]);
      expect(await agentRuns(stage.host)).to.have.lengthOf(1);
      expect(lab.log).to.deep.equal(["start cut", "start cut", "end cut"]);
    },
  );

  verifies(
    "agents:restart",
    "are resumed with the run above that has not waited, and with it by policy",
    async () => {
      await open({ "runs.resume": "auto" });
      stage.provider.play(
        cast([spawning({ task: "Loose" }), calling(labCall("peek", "above", { gate: true }))], {
          Loose: [holding("loose")],
        }),
      );
      beginWith(stage, "loose");
      await Promise.all([lab.until("start loose"), lab.until("start above")]);
      lab.open("loose");
      stage.provider.play(cast([saying("ok")], { Loose: [saying("Loose end.")] }));
      await stage.host.restart();
      await agentsBecome(stage.host, "loose", "ended");
      expect((await inboxOf(stage.host, "loose")).map(({ text }) => text)).to.deep.equal(["Loose end."]);
      expect((await runOf(stage.host, "loose")).status).to.equal("running");
      expect((await agentRuns(stage.host))[0]).to.include({
        status: "ended",
        completion_reason: "workflow_complete",
      });
      lab.open("above");
      await runWith(stage.host, "loose", "ended");
    },
  );

  verifies("agents:restart", "end with a run above that ends instead of going on", async () => {
    await open();
    const script = () => cast([spawning({ task: "Cut", wait: true })], { Cut: [holding("cut")] });
    stage.provider.play(script());
    beginWith(stage, "newer");
    await lab.until("start cut");
    await stage.host.restart();
    stage.provider.play(cast([saying("Fresh.")]));
    const { body } = await chatWith(stage, "newer");
    expect(body.choices[0]?.message.content).to.equal("Fresh.");
    await agentsBecome(stage.host, "newer", "ended");
    expect((await agentRuns(stage.host))[0]).to.include({ status: "ended", completion_reason: "cancelled" });

    lab.reset();
    stage.provider.play(script());
    beginWith(stage, "deleted");
    await lab.until("start cut");
    await stage.host.restart();
    const { id } = await runOf(stage.host, "deleted");
    expect((await stage.host.request("DELETE", `/api/runs/${id}`)).status).to.equal(202);
    expect((await agentRuns(stage.host)).map(({ completion_reason: reason }) => reason)).to.deep.equal([
      "cancelled",
      "cancelled",
    ]);
  });

  verifies(
    "agents:restart",
    "end where nothing is resumed, and where the run above had ended before",
    async () => {
      await open({ "runs.resume": "never", "agents.grace_seconds": 600 });
      stage.provider.play(
        cast([spawning({ task: "Grace" }), saying("Bye."), spawning({ task: "Cut", wait: true })], {
          Grace: [holding("grace")],
          Cut: [holding("cut")],
        }),
      );
      await chatWith(stage, "bye");
      beginWith(stage, "never");
      await Promise.all([lab.until("start grace"), lab.until("start cut")]);
      await stage.host.restart();
      await agentsBecome(stage.host, "bye", "ended");
      await agentsBecome(stage.host, "never", "ended");
      expect((await agentRuns(stage.host)).map(({ completion_reason: reason }) => reason)).to.deep.equal([
        "cancelled",
        "cancelled",
      ]);
      expect((await runOf(stage.host, "never")).completion_reason).to.equal("error");
      expect((await inboxOf(stage.host, "bye")).map(({ text }) => text)).to.deep.equal([
        "It was cancelled before it was done.",
      ]);
    },
  );

  for (const policy of ["ask", "never"]) {
    verifies(
      "agents:restart",
      `keep their questions, whose answer takes up the run above too (runs.resume ${policy})`,
      async () => {
        await open({ "runs.resume": policy });
        stage.provider.play(
          cast([spawning({ task: "Ask", wait: true })], { Ask: [calling(labCall("wipe", "asked"))] }),
        );
        beginWith(stage, "asks");
        const shown = await pendingIn(stage.host, "asks");
        await stage.host.restart();
        expect(await approvals(stage.host)).to.deep.equal([shown]);
        expect((await runOf(stage.host, "asks")).pendingToolCallIds).to.deep.equal([shown.toolCallId]);
        stage.provider.play(cast([saying("Done.")], { Ask: [saying("Wiped.")] }));
        expect(
          (await answer(stage.host, shown.toolCallId, { approved: true, conversationId: "asks" })).status,
        ).to.equal(200);
        expect((await runWith(stage.host, "asks", "ended")).completion_reason).to.equal("workflow_complete");
        expect(await summaryIn("asks")).to.equal("Wiped.");
        expect(lab.log).to.deep.equal(["start asked", "end asked"]);
      },
    );
  }

  verifies(
    "agents:restart",
    "that are idle, and their summaries, are there after it; a cut persistent one takes what it is sent",
    async () => {
      await open();
      stage.provider.play(
        cast(
          [spawning({ task: "Rest", persistent: true }, { task: "Cut", persistent: true }), saying("ok")],
          {
            Rest: [saying("Rested.")],
            Cut: [holding("cut")],
          },
        ),
      );
      await chatWith(stage, "kept");
      await lab.until("start cut");
      const [rest, cut] = await agentsBecome(stage.host, "kept", "idle", "running");
      await stage.host.restart();
      await agentsBecome(stage.host, "kept", "idle", "interrupted");
      const [message] = await inboxOf(stage.host, "kept");
      expect(message).to.include({ agent_id: rest?.agent_id, text: "Rested." });
      await byHand(stage.host, "kept", "acknowledge", { message_ids: [message?.id] });
      await stage.host.restart();
      expect(await inboxOf(stage.host, "kept")).to.deep.equal([]);

      const sends = [rest, cut].map((agent) =>
        agentCall("send", { agent_id: agent?.agent_id, message: "Again" }),
      );
      stage.provider.play(
        cast([calling(...sends), saying("ok")], { Rest: [saying("Rested again.")], Cut: [saying("Uncut.")] }),
      );
      await chatWith(stage, "kept");
      await agentsBecome(stage.host, "kept", "idle", "idle");
      const texts = (await inboxOf(stage.host, "kept")).map(({ text }) => text);
      expect(texts).to.have.members(["Rested again.", "Uncut."]);
      expect((await agentRuns(stage.host)).map(({ completion_reason: reason }) => reason)).to.have.members([
        "workflow_complete",
        "cancelled",
        "workflow_complete",
        "workflow_complete",
      ]);
      expect(callsOf(stage, "Cut").at(-1)?.messages.at(-1)?.content).to.match(/^Again/);
    },
  );
});
