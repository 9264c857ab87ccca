import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import {
  answer,
  approvals,
  calling,
  labCall,
  openLab,
  outcomesOf,
  pendingIn,
  play,
  saying,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

const asking = (more: object) =>
  calling({ name: "interact", arguments: { message: "Red or blue?", ...more } });

describe("questions to the person", () => {
  let stage: Stage;
  let moved = 0;
  before(async () => {
    const clock = { now: () => Date.now() + moved };
    stage = await openLab([], { clock, settings: { "approvals.timeout_seconds": 1 } });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  verifies("approval:question", "are asked and answered with a text", async () => {
    const asked = play(stage, [asking({ context: "For the wall", options: ["red", "blue"] }), saying("ok")], {
      conversationId: "colour",
    });
    const shown = await pendingIn(stage.host, "colour");
    expect(shown).to.include({
      kind: "question",
      prompt: "Red or blue?",
      context: "For the wall",
      tool: "user_collaboration",
      authorize_operation: null,
    });
    expect(shown.options).to.deep.equal(["red", "blue"]);
    const { status, body } = await answer(stage.host, shown.toolCallId, { userResponse: "no, green" });
    expect([status, body.status, body.decision]).to.deep.equal([200, "answered", "text"]);
    await asked;
    const [outcome] = await outcomesOf(stage.host, "colour");
    expect(outcome).to.include({ success: true, data: "User response: no, green", decision: "text" });
    const [kept] = await approvals(stage.host, "?status=answered&conversationId=colour");
    expect(kept).to.include({ decision: "text", answer: "no, green" });
  });

  verifies("approval:question", "take a bare decision for its word", async () => {
    for (const [approved, word] of [
      [true, "Approved"],
      [false, "Denied"],
    ] as const) {
      const asked = play(stage, [asking({}), saying("ok")], { conversationId: word });
      await answer(stage.host, (await pendingIn(stage.host, word)).toolCallId, { approved });
      await asked;
      expect((await outcomesOf(stage.host, word))[0]).to.include({
        success: true,
        data: `User response: ${word}`,
      });
    }
  });

  verifies(
    "approval:expiry",
    "expire after approvals.timeout_seconds, and no answer counts after that",
    async () => {
      const asked = play(stage, [calling(labCall("wipe", "late")), saying("ok")], { conversationId: "late" });
      const shown = await pendingIn(stage.host, "late");
      expect(Date.parse(shown.expiresAt ?? "") - Date.now()).to.be.within(1, 1000);
      await asked;
      expect((await outcomesOf(stage.host, "late"))[0]).to.include({
        success: false,
        error_code: "approval_expired",
      });
      expect(
        (await approvals(stage.host, "?status=expired&conversationId=late")).map(({ id }) => id),
      ).to.deep.equal([shown.id]);
      expect((await answer(stage.host, shown.toolCallId, { approved: true })).status).to.equal(409);
      expect(lab.log).to.deep.equal([]);
    },
  );

  verifies("approval:expiry", "expire by the clock, even if the timer is late", async () => {
    const asked = play(stage, [calling(labCall("wipe", "slept")), saying("ok")], { conversationId: "slept" });
    const { toolCallId } = await pendingIn(stage.host, "slept");
    moved = 60_000;
    const given = await answer(stage.host, toolCallId, { approved: true });
    moved = 0;
    expect([given.status, given.body.error?.code]).to.deep.equal([409, "already_answered"]);
    await asked;
    expect((await outcomesOf(stage.host, "slept"))[0]?.error_code).to.equal("approval_expired");
    expect(lab.log).to.deep.equal([]);
  });
});
