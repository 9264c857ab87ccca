import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import {
  approvals,
  answer,
  calling,
  eachItsLab,
  eventually,
  labCall,
  messagesOf,
  openLab,
  outcomesOf,
  pendingIn,
  play,
  runOf,
  runWith,
  saying,
  sentTo,
  type WireRun,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

const storage = { type: "sqlite" };

/** Starts a chat whose client goes with the host. */
function begin(
  { host, provider }: Stage,
  script: Parameters<Stage["provider"]["play"]>[0],
  conversationId: string,
): void {
  provider.play(script);
  const body = ask("Do it", { conversationId, stream: true });
  void host
    .request("POST", "/api/chat/completions", body)
    .then((reply) => reply.text())
    .catch(() => undefined);
}

const codesOf = async ({ host }: Stage, conversation: string) =>
  (await outcomesOf(host, conversation)).map(({ error_code: code = "ok" }) => code);

describe("interrupted runs", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { settings: { storage } });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const resume = (id: string) =>
    stage.host.json<WireRun & { error?: { code: string } }>("POST", `/api/runs/${id}/resume`);

  /** A batch of which the call `cut` is at work when the service stops. */
  const cutAt = async (
    conversation: string,
    ...calls: readonly ReturnType<typeof labCall>[]
  ): Promise<WireRun> => {
    begin(stage, [calling(...calls)], conversation);
    await lab.until("start cut");
    await stage.host.restart();
    return runOf(stage.host, conversation);
  };
  const finish = async (conversation: string, { id }: WireRun): Promise<WireRun> => {
    stage.provider.play([saying("Done.")]);
    expect((await resume(id)).status).to.equal(200);
    return runWith(stage.host, conversation, "ended");
  };

  verifies(
    ["runs:resume", "W05", "W06", "W07"],
    "wait to be resumed; a call that was cut is not run again, and its outcome is unknown",
    async () => {
      const calls = [
        labCall("keep", "first"),
        labCall("keep", "cut", { gate: true }),
        labCall("keep", "last"),
      ];
      const run = await cutAt("once", ...calls);
      expect(run).to.include({ status: "interrupted", completion_reason: null });
      expect(await codesOf(stage, "once")).to.deep.equal(["ok"]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await runOf(stage.host, "once")).status).to.equal("interrupted");
      const ended = await finish("once", run);
      expect(ended).to.include({
        id: run.id,
        completion_reason: "workflow_complete",
        iterations: 2,
        tool_call_count: 3,
        had_errors: true,
      });
      expect(lab.log).to.deep.equal(["start first", "end first", "start cut", "start last", "end last"]);
      expect(await codesOf(stage, "once")).to.deep.equal(["ok", "outcome_unknown", "ok"]);
      expect(sentTo(stage.provider, -1).at(-2)?.content).to.include("outcome_unknown");
      const [roles] = [(await messagesOf(stage.host, "once")).map(({ role }) => role)];
      expect(roles).to.deep.equal(["user", "assistant", "tool", "tool", "tool", "assistant"]);
      const again = await resume(run.id);
      expect([again.status, again.body.error?.code]).to.deep.equal([409, "not_resumable"]);
      expect((await resume("run_none")).status).to.equal(404);
    },
  );

  verifies(
    "runs:resume",
    "run a cut call again where it only read, or says that it may be repeated",
    async () => {
      for (const operation of ["peek", "repeat"]) {
        lab.reset();
        const run = await cutAt(operation, labCall(operation, "cut", { gate: true }));
        lab.open("cut");
        await finish(operation, run);
        expect(lab.log).to.deep.equal(["start cut", "start cut", "end cut"]);
        expect(await codesOf(stage, operation)).to.deep.equal(["ok"]);
      }
    },
  );

  verifies("runs:resume", "ask the operation what became of a cut call, where it can tell", async () => {
    const expected = {
      happened: ["start cut"],
      did_not_happen: ["start cut", "start cut", "end cut"],
      unknown: ["start cut"],
    };
    for (const truth of ["happened", "did_not_happen", "unknown"] as const) {
      lab.reset();
      const run = await cutAt(truth, labCall("check", "cut", { gate: true }));
      lab.truth = truth;
      lab.open("cut");
      await finish(truth, run);
      expect(lab.log).to.deep.equal(expected[truth]);
      expect(await codesOf(stage, truth)).to.deep.equal([truth === "unknown" ? "outcome_unknown" : "ok"]);
    }
  });

  verifies(
    ["runs:resume", "W06"],
    "do not ask again for an approved call that was cut, and do not run it again",
    async () => {
      begin(stage, [calling(labCall("wipe", "cut", { gate: true }))], "approved");
      await answer(stage.host, (await pendingIn(stage.host, "approved")).toolCallId, { approved: true });
      await lab.until("start cut");
      await stage.host.restart();
      await finish("approved", await runOf(stage.host, "approved"));
      expect(await codesOf(stage, "approved")).to.deep.equal(["outcome_unknown"]);
      expect(await approvals(stage.host)).to.deep.equal([]);
      expect(lab.log).to.deep.equal(["start cut"]);
    },
  );

  verifies("runs:resume", "repeat a model call that was cut, without its partial text", async () => {
    begin(stage, [chatReply([{ text: "Half a sent" }, { hang: true }])], "model");
    const stored = () => stage.host.json<{ messages?: readonly object[] }>("GET", "/v1/conversations/model");
    await eventually(async () => (await stored()).body.messages?.[0]);
    await stage.host.restart();
    const run = await finish("model", await runOf(stage.host, "model"));
    expect(run).to.include({ iterations: 1, completion_reason: "workflow_complete" });
    expect((await messagesOf(stage.host, "model")).map(({ content }) => content)).to.deep.equal([
      "Do it",
      "Done.",
    ]);
  });

  verifies("runs:resume", "end as cancelled when the conversation goes on without them", async () => {
    const run = await cutAt(
      "newer",
      labCall("keep", "one"),
      labCall("keep", "cut", { gate: true }),
      labCall("wipe", "two"),
    );
    const { content } = await play(
      stage,
      [saying("Hello again.")],
      { conversationId: "newer" },
      "Never mind",
    );
    expect(content).to.equal("Hello again.");
    const { body } = await stage.host.json<WireRun>("GET", `/api/runs/${run.id}`);
    expect(body).to.include({ status: "ended", completion_reason: "cancelled" });
    expect(await codesOf(stage, "newer")).to.deep.equal(["ok", "outcome_unknown", "cancelled"]);
    const seen = sentTo(stage.provider, -1).map(({ role }) => role);
    expect(seen).to.deep.equal(["system", "user", "assistant", "tool", "tool", "tool", "user"]);
    expect((await resume(run.id)).status).to.equal(409);
    expect(lab.log).to.deep.equal(["start one", "end one", "start cut"]);
  });

  verifies(["runs:resume", "runs:cancel"], "can be cancelled, and their questions with them", async () => {
    begin(stage, [calling(labCall("wipe", "asked"))], "dropped");
    const shown = await pendingIn(stage.host, "dropped");
    await stage.host.restart();
    const { status, body } = await stage.host.json<{ status: string }>(
      "DELETE",
      `/api/runs/${shown.runId ?? ""}`,
    );
    expect([status, body.status]).to.deep.equal([202, "ended"]);
    expect(await runOf(stage.host, "dropped")).to.include({ completion_reason: "cancelled" });
    expect((await answer(stage.host, shown.toolCallId, { approved: true })).status).to.equal(409);
    expect(await codesOf(stage, "dropped")).to.deep.equal(["cancelled"]);
    expect((await stage.host.json("DELETE", `/api/runs/${shown.runId ?? ""}`)).status).to.equal(409);
  });
});

describe("a run that is cancelled while the service stops", () => {
  const open = eachItsLab();

  verifies(["runs:resume", "runs:cancel"], "stays cancelled, with a valid history", async () => {
    const stage = await open({ settings: { storage, "runs.resume": "auto" } });
    begin(
      stage,
      [calling(labCall("keep", "cut", { gate: true, deaf: true }), labCall("keep", "two"))],
      "cancelled",
    );
    await lab.until("start cut");
    const { id } = await runOf(stage.host, "cancelled");
    expect((await stage.host.json("DELETE", `/api/runs/${id}`)).status).to.equal(202);
    await stage.host.restart();
    const run = await runOf(stage.host, "cancelled");
    const codes = await codesOf(stage, "cancelled");
    expect(run).to.include({ id, status: "ended", completion_reason: "cancelled" });
    expect(codes).to.have.lengthOf(2);
    expect(codes[1]).to.equal("cancelled");
    expect(lab.log).to.deep.equal(["start cut"]);
  });
});

describe("policies of resuming", () => {
  const open = eachItsLab();
  const cut = async (policy: string) => {
    const stage = await open({ settings: { storage, "runs.resume": policy } });
    begin(
      stage,
      [calling(labCall("keep", "one"), labCall("peek", "cut", { gate: true }), labCall("keep", "two"))],
      policy,
    );
    await lab.until("start cut");
    stage.provider.play([saying("Done.")]);
    await stage.host.restart();
    return stage;
  };

  verifies(["runs:resume", "W05"], "auto goes on at the start", async () => {
    const stage = await cut("auto");
    lab.open("cut");
    const run = await runWith(stage.host, "auto", "ended");
    expect(run.completion_reason).to.equal("workflow_complete");
    expect(lab.log).to.deep.equal([
      "start one",
      "end one",
      "start cut",
      "start cut",
      "end cut",
      "start two",
      "end two",
    ]);
  });

  verifies("runs:resume", "never ends them as failed, with a valid history", async () => {
    const stage = await cut("never");
    const run = await runOf(stage.host, "never");
    const codes = await codesOf(stage, "never");
    expect(run).to.include({ status: "ended", completion_reason: "error", had_errors: true });
    expect(run.error?.code).to.equal("shutting_down");
    expect(codes).to.deep.equal(["ok", "cancelled", "cancelled"]);
  });
});
