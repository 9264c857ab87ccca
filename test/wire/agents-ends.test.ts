import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import {
  agentRun,
  agentRuns,
  agentsBecome,
  agentsIn,
  beginWith,
  byHand,
  cast,
  chatWith,
  inboxOf,
  openAgents,
  spawning,
} from "../support/agent-stage.ts";
import type { Stage } from "../support/host.ts";
import { approvals, eventually, labCall, pendingIn, runOf, runWith, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";
import { holding, within } from "./agents-ends-scene.ts";

describe("sub-agents", () => {
  let stage: Stage;
  afterEach(async () => {
    lab.reset();
    await stage.end();
  });

  verifies(
    ["agents:ends", "W12"],
    "are cancelled with the run above, all of them, within two seconds",
    async () => {
      stage = await openAgents({ settings: { "agents.max_depth": 2 } });
      stage.provider.play(
        cast(
          [
            spawning(
              { task: "Loose" },
              { task: "Kept", persistent: true },
              { task: "Deep", wait: true, enableWorkflowMode: true },
            ),
          ],
          {
            Loose: [chatReply([{ text: "Half" }, { hang: true }])],
            Kept: [chatReply({ toolCalls: [labCall("wipe", "asks")] })],
            Deep: [spawning({ task: "Deeper", wait: true })],
            Deeper: holding("deeper"),
          },
        ),
      );
      beginWith(stage, "above");
      await lab.until("start deeper");
      await pendingIn(stage.host, "above");
      const { id } = await runOf(stage.host, "above");
      await within(2000, async () => {
        expect((await stage.host.request("DELETE", `/api/runs/${id}`)).status).to.equal(202);
        await agentsBecome(stage.host, "above", "ended", "idle", "ended");
        await runWith(stage.host, "above", "ended");
      });
      const runs = await agentRuns(stage.host);
      expect(runs.map(({ completion_reason: reason }) => reason)).to.deep.equal(Array(4).fill("cancelled"));
      expect((await runOf(stage.host, "above")).completion_reason).to.equal("cancelled");
      expect(await approvals(stage.host)).to.deep.equal([]);
      expect(lab.log).to.deep.equal(["start deeper"]);
      expect((await inboxOf(stage.host, "above")).map(({ text }) => text)).to.deep.include(
        "It was cancelled before it was done.\nHalf",
      );
    },
  );

  verifies("agents:ends", "are cancelled when the client of the run above goes away", async () => {
    stage = await openAgents();
    stage.provider.play(cast([spawning({ task: "Gone", wait: true })], { Gone: holding("gone") }));
    const leaving = new AbortController();
    const body = {
      model: "default",
      messages: [{ role: "user", content: "Go" }],
      stream: true,
      conversationId: "gone",
    };
    const config = { service_config: { enable_workflow_mode: true } };
    void fetch(`${stage.host.url}/api/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body, ...config }),
      signal: leaving.signal,
    })
      .then((reply) => reply.text())
      .catch(() => undefined);
    await lab.until("start gone");
    leaving.abort();
    await within(2000, () => agentRun(stage.host, "ended"));
    expect((await agentRuns(stage.host))[0]).to.include({ completion_reason: "cancelled" });
  });

  verifies(
    ["agents:ends", "W12"],
    "end agents.grace_seconds after the run above has ended by itself",
    async () => {
      stage = await openAgents({ settings: { "agents.grace_seconds": 1 } });
      stage.provider.play(
        cast(
          [spawning({ task: "Quick" }, { task: "Slow" }, { task: "Kept", persistent: true }), saying("Bye.")],
          {
            Quick: [chatReply([{ delayMs: 150 }, { text: "Just in time." }])],
            Slow: holding("slow"),
            Kept: holding("kept"),
          },
        ),
      );
      const { body } = await chatWith(stage, "grace");
      expect(body.choices[0]?.message.content).to.equal("Bye.");
      await Promise.all([lab.until("start slow"), lab.until("start kept")]);
      await agentsBecome(stage.host, "grace", "ended", "running", "running");
      await agentsBecome(stage.host, "grace", "ended", "ended", "running");
      const reasons = (await agentRuns(stage.host)).map(({ completion_reason: reason }) => reason);
      expect(reasons).to.deep.equal(["workflow_complete", "cancelled", null]);
      lab.open("kept");
      await agentsBecome(stage.host, "grace", "ended", "ended", "idle");
      expect((await inboxOf(stage.host, "grace")).map(({ text }) => text)).to.have.members([
        "Just in time.",
        "It was cancelled before it was done.",
        "kept is done.",
      ]);
    },
  );

  verifies("agents:ends", "are killed one by one, or all, with what they work on", async () => {
    stage = await openAgents();
    const tasks = ["one", "two", "three"];
    stage.provider.play(
      cast([spawning(...tasks.map((task) => ({ task, persistent: true }))), saying("Ok.")], {
        one: holding("one"),
        two: holding("two"),
        three: [saying("Three.")],
      }),
    );
    await chatWith(stage, "kill");
    await Promise.all([lab.until("start one"), lab.until("start two")]);
    const [first] = await agentsBecome(stage.host, "kill", "running", "running", "idle");
    const agent_id = first?.agent_id ?? "";
    await within(2000, async () => {
      expect(await byHand(stage.host, "kill", "kill", { agent_id })).to.deep.equal({
        agent_id,
        status: "ended",
      });
      await eventually(async () => ((await agentRuns(stage.host))[0]?.status === "ended" ? true : undefined));
    });
    expect((await agentsIn(stage.host, "kill")).map(({ status }) => status)).to.deep.equal([
      "ended",
      "running",
      "idle",
    ]);
    expect(await byHand(stage.host, "kill", "kill", { agent_id })).to.deep.equal({
      agent_id,
      status: "ended",
    });
    expect(await byHand(stage.host, "kill", "killall")).to.deep.equal({ killed: 2 });
    await eventually(async () =>
      (await agentRuns(stage.host)).every(({ status }) => status === "ended") ? true : undefined,
    );
    expect((await agentsIn(stage.host, "kill")).map(({ status }) => status)).to.deep.equal([
      "ended",
      "ended",
      "ended",
    ]);
    expect((await inboxOf(stage.host, "kill")).map(({ text }) => text)).to.deep.equal(["Three."]);
  });
});
