import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import {
  answer,
  approvals,
  calling,
  eachItsLab,
  eventually,
  labCall,
  messagesOf,
  openLab,
  outcomesOf,
  pendingIn,
  runOf,
  runWith,
  saying,
  sentTo,
  type Outcome,
  type WireApproval,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

const settings = { storage: { type: "sqlite" }, "authorization.protected_paths": ["/nowhere/keys"] };

/** Starts a chat whose client goes with the host. */
const begin = (
  { host, provider }: Stage,
  script: Parameters<Stage["provider"]["play"]>[0],
  conversationId: string,
  config: object = {},
) => {
  provider.play(script);
  const body = ask("Do it", {
    conversationId,
    stream: true,
    service_config: { on_client_close: "continue", ...config },
  });
  void host
    .request("POST", "/api/chat/completions", body)
    .then((reply) => reply.text())
    .catch(() => undefined);
  return pendingIn(host, conversationId);
};

describe("approvals over a restart", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { settings });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  verifies(
    ["approval:restart", "A05"],
    "stay pending, and the answer lets the run go on: the call runs as shown, once",
    async () => {
      const batch = calling(
        labCall("keep", "before"),
        labCall("wipe", "asked", { times: 3 }),
        labCall("peek", "after"),
      );
      const shown = await begin(stage, [batch], "restart");
      await stage.host.restart();
      const [kept] = await approvals(stage.host);
      expect(kept).to.deep.equal(shown);
      expect(await runOf(stage.host, "restart")).to.deep.include({
        status: "interrupted",
        pendingToolCallIds: [shown.toolCallId],
      });
      expect(lab.log).to.deep.equal(["start before", "end before"]);
      stage.provider.play([saying("All done.")]);
      const given = await answer(stage.host, shown.toolCallId, { approved: true });
      expect([given.status, given.body.decision]).to.deep.equal([200, "approved"]);
      const run = await runWith(stage.host, "restart", "ended");
      expect(run).to.deep.include({
        id: shown.runId,
        completion_reason: "workflow_complete",
        tool_call_count: 3,
        iterations: 2,
      });
      expect(lab.log).to.deep.equal([
        "start before",
        "end before",
        "start asked",
        "end asked",
        "start after",
        "end after",
      ]);
      const roles = (await messagesOf(stage.host, "restart")).map(({ role }) => role);
      expect(roles).to.deep.equal(["user", "assistant", "tool", "tool", "tool", "assistant"]);
      const results = sentTo(stage.provider, -1).filter(({ role }) => role === "tool");
      expect(results.map(({ content }) => (JSON.parse(content ?? "") as Outcome).data)).to.deep.equal([
        "did before",
        "did asked",
        "did after",
      ]);
      expect((await answer(stage.host, shown.toolCallId, { approved: true })).status).to.equal(409);
      await stage.host.restart();
      expect((await answer(stage.host, shown.toolCallId, { approved: true })).status).to.equal(409);
      expect(lab.count("start asked")).to.equal(1);
    },
  );

  verifies("approval:restart", "take a no, and an answer to a question", async () => {
    const asks = { name: "user_collaboration", arguments: { prompt: "Red or blue?" } };
    const question = await begin(stage, [calling(asks, labCall("wipe", "denied"))], "no");
    await stage.host.restart();
    stage.provider.play([saying("Fine.")]);
    await answer(stage.host, question.toolCallId, { userResponse: "blue" });
    const { toolCallId } = await pendingIn(stage.host, "no");
    await stage.host.restart();
    await answer(stage.host, toolCallId, { approved: false });
    await runWith(stage.host, "no", "ended");
    const outcomes = await outcomesOf(stage.host, "no");
    expect(outcomes[0]?.data).to.equal("User response: blue");
    expect(outcomes[1]?.error_code).to.equal("denied");
    expect(lab.log).to.deep.equal([]);
  });

  verifies(
    "approval:restart",
    "ask again only what was not answered, when one operation asks twice",
    async () => {
      const first = await begin(
        stage,
        [calling({ name: "lab", arguments: { operation: "question" } })],
        "twice",
      );
      await answer(stage.host, first.toolCallId, { userResponse: "one" });
      const second = await pendingIn(stage.host, "twice", first);
      expect([first.prompt, second.prompt, second.toolCallId]).to.deep.equal([
        "First?",
        "Second?",
        first.toolCallId,
      ]);
      await stage.host.restart();
      stage.provider.play([saying("Thanks.")]);
      await answer(stage.host, second.toolCallId, { userResponse: "two" });
      await runWith(stage.host, "twice", "ended");
      expect((await outcomesOf(stage.host, "twice"))[0]?.data).to.equal("one, two");
      expect(await approvals(stage.host, "?status=all&conversationId=twice")).to.have.lengthOf(2);
    },
  );

  verifies(
    "approval:restart",
    "of a call by hand too: it runs, and its record holds the result",
    async () => {
      const call = { tool: "lab.wipe", arguments: { name: "hand", parts: ["sk-abcdef0123456789abcdef"] } };
      const blocked = await stage.host.json<{ approvalId: string; error_code: string }>(
        "POST",
        "/debug/mcp/execute",
        call,
      );
      expect(blocked.body.error_code).to.equal("approval_required");
      await stage.host.restart();
      const id = blocked.body.approvalId;
      expect(
        (await stage.host.json("POST", `/api/approvals/${id}`, { userResponse: "yes" })).status,
      ).to.equal(200);
      const { result } = await eventually(async () => {
        const { body } = await stage.host.json<WireApproval>("GET", `/api/approvals/${id}`);
        return body.result === null ? undefined : body;
      });
      expect(result).to.include({ success: true, data: "did hand" });
      expect(lab.log).to.deep.equal(["start hand", "end hand"]);
    },
  );

  verifies("approval:bound", "let nothing run when a link has been turned since", async () => {
    const folder = temporaryFolder();
    for (const name of ["good", "bad"]) mkdirSync(`${folder}/${name}`);
    const turn = (to: string) => {
      rmSync(`${folder}/work`, { force: true });
      symlinkSync(`${folder}/${to}`, `${folder}/work`);
    };
    turn("good");
    const config = { working_directory: `${folder}/work` };
    const wipe = calling(labCall("wipe", "linked", { path: "a.txt" }));
    const shown = await begin(stage, [wipe, saying("no")], "link", config);
    expect(shown.paths).to.deep.equal([`${folder}/good/a.txt`]);
    turn("bad");
    await answer(stage.host, shown.toolCallId, { approved: true });
    const turned = await pendingIn(stage.host, "link", shown);
    expect(turned.reason).to.include("changed since it was shown");
    expect(turned.paths).to.deep.equal([`${folder}/bad/a.txt`]);
    await answer(stage.host, turned.toolCallId, { approved: false });
    await runWith(stage.host, "link", "ended");
    expect((await outcomesOf(stage.host, "link"))[0]).to.include({ success: false, error_code: "denied" });
    expect(lab.log).to.deep.equal([]);

    turn("good");
    const again = await begin(stage, [wipe], "link 2", config);
    await stage.host.restart();
    turn("bad");
    stage.provider.play([saying("no")]);
    await answer(stage.host, again.toolCallId, { approved: true });
    const anew = await pendingIn(stage.host, "link 2", again);
    expect(anew.paths).to.deep.equal([`${folder}/bad/a.txt`]);
    expect(lab.log).to.deep.equal([]);
    await stage.host.json("POST", `/api/approvals/${anew.id}`, { approved: false });
    await runWith(stage.host, "link 2", "ended");
    expect(lab.log).to.deep.equal([]);
  });
});

describe("approvals that wait for a run that is interrupted", () => {
  let stage: Stage;
  let moved = 0;
  before(async () => {
    stage = await openLab([], {
      settings: { ...settings, "approvals.timeout_seconds": 60 },
      clock: { now: () => Date.now() + moved },
    });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  verifies(
    ["A14", "approval:restart"],
    "are not mixed up with a later call to which the provider gives the same id",
    async () => {
      const call = (name: string) => ({ ...labCall("wipe", name), id: "call_1" });
      const first = await begin(stage, [calling(call("first"))], "first");
      await stage.host.restart();
      const second = await begin(stage, [calling(call("second")), saying("done")], "second");
      expect(second.toolCallId).to.not.equal(first.toolCallId);
      await answer(stage.host, second.toolCallId, { approved: true });
      await runWith(stage.host, "second", "ended");
      expect(lab.log).to.deep.equal(["start second", "end second"]);
      stage.provider.play([saying("done")]);
      await answer(stage.host, first.toolCallId, { approved: false });
      await runWith(stage.host, "first", "ended");
      expect(lab.log).to.deep.equal(["start second", "end second"]);
    },
  );

  verifies(["approval:expiry", "approval:restart"], "expire too", async () => {
    const shown = await begin(stage, [calling(labCall("wipe", "late"))], "late");
    await stage.host.restart();
    moved = 61_000;
    expect(await approvals(stage.host)).to.deep.equal([]);
    expect(
      (await approvals(stage.host, "?status=expired&conversationId=late")).map(({ id }) => id),
    ).to.deep.equal([shown.id]);
    expect((await answer(stage.host, shown.toolCallId, { approved: true })).status).to.equal(409);
    stage.provider.play([saying("done")]);
    await stage.host.json("POST", `/api/runs/${shown.runId ?? ""}/resume`);
    await runWith(stage.host, "late", "ended");
    expect((await outcomesOf(stage.host, "late"))[0]?.error_code).to.equal("approval_expired");
    expect(lab.log).to.deep.equal([]);
  });
});

describe("approvals under the policies of resuming", () => {
  const open = eachItsLab();
  for (const policy of ["auto", "never"]) {
    verifies(
      ["approval:restart", "runs:resume"],
      `with runs.resume ${policy} a pending approval is kept, and its answer resumes the run`,
      async () => {
        const stage = await open({ settings: { ...settings, "runs.resume": policy } });
        const shown = await begin(stage, [calling(labCall("wipe", policy))], "kept");
        await stage.host.restart();
        if (policy === "auto") await runWith(stage.host, "kept", "waiting");
        expect((await approvals(stage.host)).map(({ id }) => id)).to.deep.equal([shown.id]);
        stage.provider.play([saying("done")]);
        await answer(stage.host, shown.toolCallId, { approved: true });
        const run = await runWith(stage.host, "kept", "ended");
        expect(run.completion_reason).to.equal("workflow_complete");
        expect(lab.log).to.deep.equal([`start ${policy}`, `end ${policy}`]);
      },
    );
  }
});
