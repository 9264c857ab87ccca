import { allChunks, chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import {
  approvals,
  calling,
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
  type ChatAnswer,
  type WireRun,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

const keys =
  "id conversationId parentRunId kind status completion_reason model provider iterations max_iterations tool_call_count tools_used had_errors error usage costUsd pendingToolCallIds createdAt startedAt endedAt";

describe("runs", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { settings: { "runs.max_parallel": 2 } });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const list = async (query: string) =>
    (await stage.host.json<{ runs: WireRun[]; count: number }>("GET", `/api/runs${query}`)).body;
  const cancel = (id: string) =>
    stage.host.json<{ success: boolean; runId: string; status: string }>("DELETE", `/api/runs/${id}`);
  const begin = (conversationId: string, more: object = {}) =>
    stage.host.json<ChatAnswer>("POST", "/api/chat/completions", ask("Do it", { conversationId, ...more }));

  verifies(["runs:records", "R12"], "are listed, newest first, and read with every field", async () => {
    await play(stage, [calling(labCall("peek", "a")), saying("one")], { conversationId: "listed" });
    const { body } = await play(stage, [saying("two")], { conversationId: "listed" }, "again");
    await play(stage, [saying("three")], { conversationId: "another" });
    const { runs, count } = await list("?conversationId=listed");
    expect([runs.length, count]).to.deep.equal([2, 2]);
    for (const run of runs) expect(run).to.have.all.keys(keys.split(" "));
    expect(runs.map(({ iterations }) => iterations)).to.deep.equal([1, 2]);
    expect(runs[1]).to.deep.include({
      kind: "chat",
      status: "ended",
      completion_reason: "workflow_complete",
      model: "custom/test",
      max_iterations: 300,
      tool_call_count: 1,
      tools_used: ["lab"],
      had_errors: false,
      error: null,
      pendingToolCallIds: [],
      parentRunId: null,
    });
    expect(runs[0]?.id)
      .to.match(/^run_[0-9a-f]{32}$/)
      .and.to.equal(body.service_metadata.run_id);
    const one = await stage.host.json<WireRun>("GET", `/api/runs/${runs[0]?.id ?? ""}`);
    expect(one.body).to.deep.equal(runs[0]);
    expect((await list("?limit=1")).runs.map(({ conversationId }) => conversationId)).to.not.include(
      runs[0]?.conversationId,
    );
    expect(
      (await list("?conversationId=listed&status=ended&kind=chat&limit=1&offset=1")).runs[0]?.id,
    ).to.equal(runs[1]?.id);
    expect((await list("?conversationId=listed&status=running")).count).to.equal(0);
    expect((await list("?kind=autonomous")).count).to.equal(0);
    expect((await stage.host.json("GET", "/api/runs/run_none")).status).to.equal(404);
    expect((await stage.host.json("GET", "/api/runs?status=sleeping")).status).to.equal(400);
  });

  verifies("runs:records", "are kept when they say nothing, and when their request is refused", async () => {
    await play(stage, [chatReply([]), chatReply([])], { conversationId: "silent" });
    expect(await runOf(stage.host, "silent")).to.deep.include({
      status: "ended",
      completion_reason: "workflow_complete",
    });
    expect((await messagesOf(stage.host, "silent")).map(({ role }) => role)).to.deep.equal(["user"]);
    const refused = await play(stage, chatReply({ error: { status: 400, message: "No such thing" } }), {
      conversationId: "refused",
    });
    expect(refused.status).to.equal(400);
    expect(await runOf(stage.host, "refused")).to.deep.include({
      status: "ended",
      completion_reason: "error",
      had_errors: true,
    });
    expect((await stage.host.request("GET", "/v1/conversations/refused")).status).to.equal(404);
  });

  verifies(
    ["runs:cancel", "W04"],
    "are cancelled while the model speaks; the text so far is stored",
    async () => {
      stage.provider.play(chatReply([{ text: "So far" }, { hang: true }]));
      const asked = begin("speaks");
      const { id } = await runWith(stage.host, "speaks", "running");
      await eventually(() => messagesOf(stage.host, "speaks"));
      const given = await cancel(id);
      expect([given.status, given.body.success, given.body.runId]).to.deep.equal([202, true, id]);
      const { body } = await asked;
      expect(body.service_metadata.workflow.completion_reason).to.equal("cancelled");
      expect(body.choices[0]).to.deep.include({ finish_reason: "stop" });
      expect(await stage.provider.requests.at(-1)?.outcome).to.equal("aborted");
      expect(
        (await messagesOf(stage.host, "speaks")).map(({ role, content }) => `${role} ${content}`),
      ).to.deep.equal(["user Do it", "assistant So far"]);
      expect((await cancel(id)).status).to.equal(409);
      expect((await cancel("run_none")).status).to.equal(404);
    },
  );

  verifies("runs:cancel", "are cancelled before the model says anything, and stay on record", async () => {
    stage.provider.play(chatReply({ hang: true }));
    const asked = begin("mute");
    const { id } = await runWith(stage.host, "mute", "running");
    expect((await stage.host.json("POST", `/api/runs/${id}/cancel`)).status).to.equal(202);
    expect((await asked).body.service_metadata.workflow.completion_reason).to.equal("cancelled");
    expect(await runOf(stage.host, "mute")).to.include({
      status: "ended",
      completion_reason: "cancelled",
      error: null,
    });
    expect((await messagesOf(stage.host, "mute")).map(({ role }) => role)).to.deep.equal(["user"]);
  });

  verifies(
    ["runs:cancel", "W04"],
    "stop tools, deaf ones too, and answer every call so that the history stays valid",
    async () => {
      const batch = calling(
        labCall("keep", "done"),
        labCall("keep", "deaf", { gate: true, deaf: true }),
        labCall("keep", "never"),
        labCall("peek", "nor this"),
        labCall("wipe", "nor asked"),
      );
      stage.provider.play([batch, saying("never")]);
      const asked = begin("tools");
      await lab.until("start deaf");
      const begun = performance.now();
      await cancel((await runOf(stage.host, "tools")).id);
      const { body } = await asked;
      expect(performance.now() - begun).to.be.below(2500);
      expect(body.service_metadata.workflow.completion_reason).to.equal("cancelled");
      const codes = (await outcomesOf(stage.host, "tools")).map(({ error_code: code = "ok" }) => code);
      expect(codes).to.deep.equal(["ok", "cancelled", "cancelled", "cancelled", "cancelled"]);
      expect(await approvals(stage.host, "?status=all&conversationId=tools")).to.deep.equal([]);
      expect(lab.log).to.deep.equal(["start done", "end done", "start deaf"]);
      lab.open("deaf");
      const next = await play(stage, [saying("Still here.")], { conversationId: "tools" }, "and now?");
      expect(next.content).to.equal("Still here.");
      const last = stage.provider.requests.at(-1)?.body as {
        messages: { role: string; tool_calls?: unknown[] }[];
      };
      expect(last.messages.filter(({ role }) => role === "tool")).to.have.lengthOf(5);
    },
  );

  verifies(
    ["runs:cancel", "C25"],
    "close their questions when they are cancelled or their conversation is deleted",
    async () => {
      for (const way of ["cancel", "delete"]) {
        stage.provider.play([calling(labCall("wipe", way), labCall("keep", way)), saying("never")]);
        const asked = begin(way, { stream: true });
        void asked.catch(() => undefined);
        const shown = await pendingIn(stage.host, way);
        if (way === "cancel") await cancel(shown.runId ?? "");
        else expect((await stage.host.request("DELETE", `/v1/conversations/${way}`)).status).to.equal(200);
        const run = await runWith(stage.host, way, "ended");
        expect(run.completion_reason).to.equal("cancelled");
        expect(run.pendingToolCallIds).to.deep.equal([]);
        const closed = await approvals(stage.host, `?status=cancelled&runId=${run.id}`);
        expect(closed).to.have.lengthOf(way === "cancel" ? 1 : 0);
        expect(
          (await stage.host.json("POST", `/api/approvals/${shown.id}`, { approved: true })).status,
        ).to.equal(way === "cancel" ? 409 : 404);
      }
      expect((await outcomesOf(stage.host, "cancel")).map(({ error_code: code }) => code)).to.deep.equal([
        "cancelled",
        "cancelled",
      ]);
      expect((await stage.host.request("GET", "/v1/conversations/delete")).status).to.equal(404);
      expect(lab.log).to.deep.equal([]);
    },
  );

  verifies("runs:records", "wait for a place, never more at work than runs.max_parallel", async () => {
    stage.provider.play(chatReply({ hang: true }));
    const names = ["p1", "p2", "p3", "p4"];
    const asked = names.map((name) => begin(name));
    const all = async () =>
      (await Promise.all(names.map((name) => runOf(stage.host, name)))).filter((run) => run !== undefined);
    const runs = await eventually(async () => ((await all()).length === 4 ? all() : undefined));
    expect(runs.map(({ status }) => status).toSorted()).to.deep.equal([
      "queued",
      "queued",
      "running",
      "running",
    ]);
    await cancel(runs.find(({ status }) => status === "queued")?.id ?? "");
    await eventually(async () => (await all()).find(({ status }) => status === "ended"));
    expect((await all()).map(({ status }) => status).toSorted()).to.deep.equal([
      "ended",
      "queued",
      "running",
      "running",
    ]);
    for (const run of await all()) if (run.status !== "ended") await cancel(run.id);
    await Promise.all(asked);
  });

  verifies("W03", "end for each of the five reasons", async () => {
    const { runs } = await list("");
    const seen = new Set(runs.map(({ completion_reason: reason }) => reason));
    await play(stage, [calling(labCall("peek", "x"))], { service_config: { max_iterations: 1 } });
    await play(stage, (_, index) => calling(labCall("peek", `${index}`, { fail: "timeout" })));
    for (const { completion_reason: reason } of (await list("")).runs) seen.add(reason);
    const five = [
      "cancelled",
      "error",
      "max_iterations_reached",
      "tool_execution_failed",
      "workflow_complete",
    ];
    expect([...seen].toSorted()).to.deep.equal(five);
  });

  verifies("runs:cancel", "tell their stream that they were cancelled", async () => {
    stage.provider.play(chatReply([{ text: "Well" }, { hang: true }]));
    const reply = await stage.host.request(
      "POST",
      "/api/chat/completions",
      ask("Do it", { conversationId: "stream", stream: true }),
    );
    await cancel(reply.headers.get("x-run-id") ?? "");
    const chunks = await allChunks(reply);
    const metadata = chunks.at(-1)?.["service_metadata"] as ChatAnswer["service_metadata"];
    expect(metadata.workflow.completion_reason).to.equal("cancelled");
  });
});
