import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import {
  agentCall,
  agentRun,
  agentRuns,
  agentsBecome,
  agentsIn,
  beginWith,
  callsOf,
  cast,
  chatWith,
  inboxOf,
  openAgents,
  spawning,
} from "../support/agent-stage.ts";
import type { Stage } from "../support/host.ts";
import { calling, eventually, labCall, pendingIn, runOf, runWith, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";
import { holding, within } from "./agents-ends-scene.ts";

describe("sub-agents that stay, and how many there may be", () => {
  let stage: Stage;
  afterEach(async () => {
    lab.reset();
    await stage.end();
  });

  verifies("agents:persistent", "that are persistent stay idle and take what they are sent", async () => {
    stage = await openAgents();
    let id = "";
    const send = (message: string) => calling(agentCall("send", { agent_id: id, message }));
    stage.provider.play(
      cast(
        (_, turn) =>
          [spawning({ task: "Stay", persistent: true, wait: true }), saying("1"), send("More"), saying("2")][
            turn
          ] ?? saying("3"),
        {
          Stay: [saying("First."), saying("Second.")],
        },
      ),
    );
    await chatWith(stage, "stay");
    [{ agent_id: id } = { agent_id: "" }] = await agentsBecome(stage.host, "stay", "idle");
    await chatWith(stage, "stay");
    const [message] = await eventually(async () => {
      const found = await inboxOf(stage.host, "stay");
      return found.length > 0 ? found : undefined;
    });
    expect(message).to.include({ agent_id: id, text: "Second." });
    const said = callsOf(stage, "Stay")
      .at(-1)
      ?.messages.filter(({ role }) => role !== "system");
    expect(said?.map(({ content }) => String(content).split("\n\n")[0])).to.deep.equal([
      "Stay",
      "First.",
      "More",
    ]);
    await agentsBecome(stage.host, "stay", "idle");
    const runs = await agentRuns(stage.host);
    expect(runs.at(-1)?.parentRunId).to.equal((await runOf(stage.host, "stay")).id);
  });

  verifies(
    "agents:persistent",
    "get what is sent or broadcast while they work once they are done with that",
    async () => {
      stage = await openAgents();
      const told = [saying("Heard.")];
      stage.provider.play(
        cast(
          [
            spawning({ task: "Busy" }, { task: "Idle", persistent: true }),
            calling(labCall("peek", "turn", { gate: true })),
            calling(agentCall("broadcast", { message: "News" })),
            calling(labCall("peek", "stay", { gate: true })),
            saying("ok"),
          ],
          {
            Busy: [...holding("busy"), ...told],
            Idle: [saying("Nothing yet."), ...told],
          },
        ),
      );
      beginWith(stage, "news");
      await Promise.all([lab.until("start turn"), lab.until("start busy")]);
      await agentsBecome(stage.host, "news", "running", "idle");
      lab.open("turn");
      await lab.until("start stay");
      lab.open("busy");
      await agentsBecome(stage.host, "news", "ended", "idle");
      const texts = (await inboxOf(stage.host, "news")).map(({ text }) => text);
      expect(texts).to.have.members(["Nothing yet.", "Heard.", "busy is done.", "Heard."]);
      for (const task of ["Busy", "Idle"]) {
        const last = callsOf(stage, task)
          .at(-1)
          ?.messages.findLast(({ role }) => role === "user");
        expect([task, String(last?.content).startsWith("News")]).to.deep.equal([task, true]);
      }
      lab.open("stay");
      await runWith(stage.host, "news", "ended");
    },
  );

  verifies(
    "agents:persistent",
    "end with the conversation, which takes its agents, their conversations and its inbox along",
    async () => {
      stage = await openAgents();
      stage.provider.play(
        cast(
          [
            spawning({ task: "Rest", persistent: true, wait: true }, { task: "Work", persistent: true }),
            saying("ok"),
            saying("Anew."),
          ],
          {
            Work: holding("work"),
          },
        ),
      );
      await chatWith(stage, "delete");
      await lab.until("start work");
      const runs = await agentRuns(stage.host);
      expect((await stage.host.request("DELETE", "/v1/conversations/delete")).status).to.equal(200);
      await within(2000, () => agentRun(stage.host, "ended"));
      for (const { conversationId } of runs)
        await eventually(async () =>
          (await stage.host.request("GET", `/v1/conversations/${conversationId}`)).status === 404
            ? true
            : undefined,
        );
      expect((await agentRuns(stage.host)).map(({ status }) => status)).to.deep.equal(["ended", "ended"]);
      await chatWith(stage, "delete");
      expect(await agentsIn(stage.host, "delete")).to.deep.equal([]);
      expect(await inboxOf(stage.host, "delete")).to.deep.equal([]);
    },
  );

  verifies(
    "agents:limits",
    "need no place of their own among runs.max_parallel: a run may wait for them",
    async () => {
      stage = await openAgents({ settings: { "runs.max_parallel": 1 } });
      stage.provider.play(cast([spawning({ task: "Below", wait: true }), saying("Above.")]));
      const { body } = await chatWith(stage, "slots");
      expect(body.choices[0]?.message.content).to.equal("Above.");
    },
  );

  verifies(
    "agents:limits",
    "count for the run above: tokens, cost at their own model's prices, and its limit",
    async () => {
      const usage = (promptTokens: number, completionTokens: number) => ({
        usage: { promptTokens, completionTokens },
      });
      const prices = { "custom/test": { prompt: 0.01, completion: 0.01 } };
      stage = await openAgents({ settings: { "models.prices": prices, "runs.max_cost_usd": 1 } });
      stage.provider.play(
        cast(
          [
            chatReply([{ toolCalls: [agentCall("spawn", { task: "Cheap", wait: true })] }, usage(1000, 0)]),
            chatReply([{ text: "ok" }, usage(500, 100)]),
          ],
          {
            Cheap: [chatReply([{ text: "done" }, usage(2000, 400)])],
          },
        ),
      );
      const { body } = await chatWith(stage, "costs");
      const { usage: counted, service_metadata: metadata } = body as unknown as {
        readonly usage: object;
        readonly service_metadata: { readonly cost_estimate: { readonly estimated_cost_usd: number } };
      };
      expect(counted).to.include({ prompt_tokens: 3500, completion_tokens: 500 });
      expect(metadata.cost_estimate.estimated_cost_usd).to.be.closeTo(0.04, 1e-9);
      expect((await agentRuns(stage.host))[0]?.usage).to.include({
        prompt_tokens: 2000,
        completion_tokens: 400,
      });

      stage.provider.play(
        cast(
          [
            chatReply([{ toolCalls: [agentCall("spawn", { task: "Dear", wait: true })] }, usage(60_000, 0)]),
            saying("never"),
          ],
          {
            Dear: [chatReply([{ toolCalls: [labCall("peek", "look")] }, usage(50_000, 0)]), saying("never")],
          },
        ),
      );
      await chatWith(stage, "dear");
      const [above, below] = [await runOf(stage.host, "dear"), (await agentRuns(stage.host)).at(-1)];
      expect([above.completion_reason, below?.completion_reason]).to.deep.equal(["error", "error"]);
      expect(below?.error?.message).to.include("runs.max_cost_usd");
      expect(above.error?.message).to.include("1.1000 USD");
    },
  );

  verifies(
    "agents:limits",
    "take the time of the run above, which waiting for the person is not",
    async () => {
      stage = await openAgents({ settings: { "runs.max_seconds": 1 } });
      const steps = (count: number) => [
        ...Array<ReturnType<typeof calling>>(count).fill(
          chatReply([{ delayMs: 400 }, { toolCalls: [labCall("peek", "x")] }]),
        ),
        saying("ok"),
      ];
      stage.provider.play(
        cast([spawning({ task: "Long", wait: true }), saying("never")], { Long: steps(4) }),
      );
      await chatWith(stage, "long");
      expect((await agentRuns(stage.host))[0]?.error?.message).to.include("runs.max_seconds");
      expect((await runOf(stage.host, "long")).error?.message).to.include("runs.max_seconds");

      stage.provider.play(
        cast([spawning({ task: "Asks", wait: true }), saying("ok")], {
          Asks: [calling(labCall("wipe", "asked")), saying("Asked.")],
        }),
      );
      beginWith(stage, "asks");
      const { toolCallId } = await pendingIn(stage.host, "asks");
      await new Promise((resolve) => setTimeout(resolve, 1200));
      await stage.host.json("POST", "/api/chat/tool-response", { toolCallId, approved: true });
      expect((await runWith(stage.host, "asks", "ended")).completion_reason).to.equal("workflow_complete");
    },
  );
});
