import type { JsonObject } from "@pergola/sdk";
import type { TestHostOptions } from "@pergola/sdk/testing";
import { expect } from "chai";
import { explain, explainScene, type WireStep } from "../support/explain-scene.ts";
import { ask, officialPlugins, type Stage } from "../support/host.ts";
import {
  answer,
  calling,
  labCall,
  labPlugin,
  openLab,
  pendingIn,
  play,
  runOf,
  runWith,
  saying,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

const { meddler, walled, secret } = explainScene;

const keys = "at milliseconds kind title plugin hook callId before after note tokens costUsd".split(" ");

const openStage = (
  settings: NonNullable<TestHostOptions["settings"]>,
  ...more: readonly JsonObject[]
): Promise<Stage> => openLab([], { plugins: [...officialPlugins(), labPlugin, meddler, ...more], settings });

/** What a plugin did, briefly. */
const brief = ({ kind, plugin, before, after }: WireStep) => [kind, plugin, before, after];
const of = (steps: readonly WireStep[], plugin: string) =>
  steps.filter((step) => step.plugin === plugin).map(brief);

describe("why a run went as it did", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage({ "plugins.require_sandbox": false }, walled);
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  verifies("runs:explain", "names who changed the prompt, chose the model and shaped a result", async () => {
    const script = [calling(labCall("peek", "a")), saying("Done.")];
    const { body } = await play(stage, script, { model: "best" }, "Shorten it.");
    const { run_id: run } = body.service_metadata;
    const answered = await stage.host.json<object>("GET", `/api/runs/${run}/explain`);
    const steps = await explain(stage.host, run);
    expect(answered.body).to.deep.equal({ runId: run, steps, count: steps.length });
    for (const step of steps) expect(step).to.have.all.keys(keys);
    const [chosen, , ...rest] = of(steps, "policy-meddler");
    expect(chosen).to.deep.equal(["model", "policy-meddler", "best", "custom/test"]);
    const shortened = ["shape", "policy-meddler", "Shorten it.", "Shorten it. In one word."];
    expect(rest).to.deep.equal([shortened, ["result", "policy-meddler", "did a", "DID A"], shortened]);
    expect(steps.map(({ at }) => at)).to.deep.equal(steps.map(({ at }) => at).toSorted());
    const shaped = steps.find(({ hook, plugin }) => hook === "shapeChat" && plugin === "policy-meddler");
    expect(shaped).to.deep.include({ before: "", after: "Be brief. [redacted]", note: "changed system" });
    expect(JSON.stringify(steps)).to.not.include(secret);
    expect(of(steps, "policy-prompt").map(([kind]) => kind)).to.include("shape");
  });

  verifies("runs:explain", "tells of each model call what it saw, took and cost, in its place", async () => {
    const { body } = await play(stage, [calling(labCall("peek", "a")), saying("Done.")]);
    const { run_id: run } = body.service_metadata;
    const steps = await explain(stage.host, run);
    const model = steps.filter(({ kind, hook }) => kind === "model" && hook === null);
    expect(model.map(({ plugin }) => plugin)).to.deep.equal(Array(2).fill("provider-chat-completions"));
    expect(model[1]?.note).to.match(
      /^iteration 2: custom\/test; saw about \d+ tokens \(system \d+, .*tools \d+/,
    );
    const { body: stored } = await stage.host.json<{ usage: { total_tokens: number } }>(
      "GET",
      `/api/runs/${run}`,
    );
    expect(model.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0)).to.equal(stored.usage.total_tokens);
    expect(model[0]).to.include({ costUsd: 0, before: null, after: null });
    const kinds = steps.filter(({ kind }) => kind !== "shape").map(({ kind }) => kind);
    expect(kinds).to.deep.equal(["model", "authorize", "call", "result", "model"]);
    const call = steps.find(({ kind }) => kind === "call");
    expect(call).to.deep.include({ plugin: "tool-lab", note: "lab.peek; Peek", before: null, after: null });
  });

  verifies("runs:explain", "names who asked, with the answer, and who forbade", async () => {
    stage.provider.play([calling(labCall("note", "n")), calling(labCall("scan", "s")), saying("Done.")]);
    const body = ask("Do it", { conversationId: "asked" });
    const done = stage.host.json("POST", "/api/chat/completions", body);
    const { toolCallId } = await pendingIn(stage.host, "asked");
    const { id: run } = await runOf(stage.host, "asked");
    const waiting = (await explain(stage.host, run)).at(-1);
    expect(waiting).to.deep.include({ kind: "ask", plugin: "policy-meddler", after: "pending" });
    await answer(stage.host, toolCallId, { approved: true, userResponse: "Go on" });
    await done;
    const steps = (await explain(stage.host, run)).filter(({ callId }) => callId !== null);
    expect(steps.map(({ kind, plugin, after }) => [kind, plugin, after])).to.deep.equal([
      ["authorize", "policy-meddler", "ask"],
      ["ask", "policy-meddler", "approved: Go on"],
      ["call", "tool-lab", null],
      ["authorize", "policy-meddler", "deny"],
      ["call", "tool-lab", null],
    ]);
    expect(steps[1]?.note).to.match(/^notes are looked at; answered by /);
    expect(steps[1]?.before).to.equal("lab.note: Note");
    expect(steps[3]?.note).to.equal("Nobody may scan.");
    expect(steps[4]?.note).to.equal("lab.scan; Scan; failed; permission_denied");
  });

  verifies(
    "runs:explain",
    "names who stopped a run before its model was asked, without its texts",
    async () => {
      const { status } = await play(stage, [], { conversationId: "stopped" }, "Say something forbidden.");
      expect(status).to.equal(500);
      const steps = await explain(stage.host, (await runOf(stage.host, "stopped")).id);
      expect(steps.at(-1)).to.deep.include({
        kind: "shape",
        plugin: "policy-meddler",
        hook: "shapeModelCall",
        note: "failed: this is not to be said",
      });
      expect(steps.filter(({ after }) => after !== null)).to.deep.equal([]);
    },
  );

  verifies("runs:explain", "names a plugin in a process of its own", async () => {
    const { body } = await play(stage, [calling({ name: "tool_walled", arguments: {} }), saying("Done.")]);
    const steps = await explain(stage.host, body.service_metadata.run_id);
    expect(steps.find(({ kind }) => kind === "call")).to.include({ plugin: "tool-walled" });
    expect(steps.find(({ kind }) => kind === "authorize")?.plugin).to.equal("policy-authorization");
  });

  verifies("runs:explain", "knows no other run", async () => {
    const { status, body } = await stage.host.json<{ error: { code: string } }>(
      "GET",
      "/api/runs/run_none/explain",
    );
    expect([status, body.error.code]).to.deep.equal([404, "not_found"]);
  });

  verifies("runs:explain", "cuts long texts down to where they were changed", async () => {
    const long = `Shorten ${"this and that ".repeat(2000)}`;
    const { body } = await play(stage, [saying("Done.")], {}, long);
    const steps = await explain(stage.host, body.service_metadata.run_id);
    const [, before, after] = of(steps, "policy-meddler").at(-1)?.slice(1) ?? [];
    expect(before).to.match(/^….{80}$/);
    expect(after).to.equal(`${String(before)} In one word.`);
  });
});

describe("why a run went as it did, elsewhere", function () {
  this.timeout(20_000);

  verifies("runs:explain", "is told after a restart as before, and goes on with a resumed run", async () => {
    const stage = await openStage({ storage: { type: "sqlite" }, "runs.resume": "auto" });
    try {
      const first = await play(stage, [calling(labCall("peek", "a")), saying("Done.")], {}, "Shorten it.");
      const { run_id: ended } = first.body.service_metadata;
      const known = await explain(stage.host, ended);
      stage.provider.play([calling(labCall("peek", "b")), calling(labCall("note", "cut"))]);
      const body = ask("Shorten this.", { conversationId: "cut", stream: true });
      void stage.host.request("POST", "/api/chat/completions", body).catch(() => undefined);
      const { toolCallId } = await pendingIn(stage.host, "cut");
      const { id: run } = await runOf(stage.host, "cut");
      const before = await explain(stage.host, run);
      await stage.host.restart();
      expect(await explain(stage.host, ended)).to.deep.equal(known);
      stage.provider.play([saying("Done.")]);
      await answer(stage.host, toolCallId, { approved: true });
      await runWith(stage.host, "cut", "ended");
      const after = await explain(stage.host, run);
      const recorded = before.filter(({ kind }) => kind !== "ask");
      expect(after.slice(0, recorded.length)).to.deep.equal(recorded);
      const kinds = after.filter(({ kind }) => kind !== "shape").map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "model")).to.have.length(3);
      expect(after.filter(({ kind }) => kind === "ask").map(brief)).to.deep.equal([
        ["ask", "policy-meddler", "lab.note: Note", "approved"],
      ]);
      expect(of(after, "policy-meddler").at(-1)).to.deep.equal([
        "shape",
        "policy-meddler",
        "Shorten this.",
        "Shorten this. In one word.",
      ]);
      await stage.host.request("DELETE", "/v1/conversations/cut");
      expect(await explain(stage.host, run)).to.deep.equal([]);
    } finally {
      await stage.end();
    }
  });
});
