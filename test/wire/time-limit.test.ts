import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask } from "../support/host.ts";
import { calling, eachItsLab, labCall, messagesOf, play, runOf } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

describe("runs.max_seconds cuts a step (R6)", () => {
  const open = eachItsLab();
  const limit = { settings: { "runs.max_seconds": 1 } };

  verifies(
    "loop:time-cuts-steps",
    "R6: aborts a model call that never ends, and keeps what it said",
    async () => {
      const stage = await open(limit);
      stage.provider.play(chatReply([{ text: "So far." }, { hang: true }]));
      const body = ask("x", { stream: true, conversationId: "hanging" });
      const answer = await stage.host.request("POST", "/api/chat/completions", body);
      expect(await answer.text()).to.include("runs.max_seconds");
      expect(await (await stage.provider.request(0)).outcome).to.equal("aborted");
      expect(await runOf(stage.host, "hanging")).to.include({ completion_reason: "error", status: "ended" });
      const messages = await messagesOf(stage.host, "hanging");
      expect(messages.at(-1)).to.include({ role: "assistant", content: "So far." });
    },
  );

  it("R6: answers an error where nobody has seen anything yet", async () => {
    const stage = await open(limit);
    stage.provider.play(chatReply([{ hang: true }]));
    const { status, body } = await stage.host.json<{ error: { message: string } }>(
      "POST",
      "/api/chat/completions",
      ask("x"),
    );
    expect(status).to.equal(500);
    expect(body.error.message).to.include("runs.max_seconds");
  });

  it("R6: aborts a tool at work", async () => {
    const stage = await open(limit);
    const { workflow } = await play(stage, [calling(labCall("peek", "never", { gate: true }))], {
      conversationId: "tool",
    });
    expect(workflow).to.include({ completion_reason: "error", iterations: 1 });
    expect((await runOf(stage.host, "tool")).error?.message).to.include("runs.max_seconds");
    lab.reset();
  });
});
