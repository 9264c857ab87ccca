import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import {
  messagesOf,
  outcomesOf,
  pendingIn,
  answer,
  runOf,
  runWith,
  sentTo,
  type Outcome,
  type WireRun,
} from "../support/lab-stage.ts";
import { chatBody, follow, traced, traceOf } from "./support/chat.ts";
import { callIdOf, finalText, planOf, playPlans, type Plan, type PlannedCall } from "./support/plan.ts";
import { openService, type Service } from "./support/service.ts";

type Counts = ReturnType<typeof traceOf>;

/** A call that is killed at work, and what is to become of it when its run goes on. */
interface Case {
  readonly call: PlannedCall;
  readonly counts: Counts;
  readonly code: string | undefined;
}

const cases: Readonly<Record<string, Case>> = {
  "once, before its effect": {
    call: { operation: "once", hold: "before" },
    counts: { begin: 1, effect: 0, end: 0 },
    code: "outcome_unknown",
  },
  "once, after its effect": {
    call: { operation: "once", hold: "after" },
    counts: { begin: 1, effect: 1, end: 0 },
    code: "outcome_unknown",
  },
  "repeat, before its effect": {
    call: { operation: "repeat", hold: "before" },
    counts: { begin: 2, effect: 1, end: 1 },
    code: undefined,
  },
  "repeat, after its effect": {
    call: { operation: "repeat", hold: "after" },
    counts: { begin: 2, effect: 2, end: 1 },
    code: undefined,
  },
  "reconcile, before its effect": {
    call: { operation: "reconcile", hold: "before" },
    counts: { begin: 2, effect: 1, end: 1 },
    code: undefined,
  },
  "reconcile, after its effect": {
    call: { operation: "reconcile", hold: "after" },
    counts: { begin: 1, effect: 1, end: 0 },
    code: undefined,
  },
  "reconcile, when nobody can tell": {
    call: { operation: "reconcile", hold: "before", verdict: "unknown" },
    counts: { begin: 1, effect: 0, end: 0 },
    code: "outcome_unknown",
  },
  "reconcile, when the asking fails": {
    call: { operation: "reconcile", hold: "after", verdict: "fail" },
    counts: { begin: 1, effect: 1, end: 0 },
    code: "outcome_unknown",
  },
  "a call that only reads": {
    call: { operation: "look", hold: "before" },
    counts: { begin: 2, effect: 1, end: 1 },
    code: undefined,
  },
  "an approved call": {
    call: { operation: "ask", hold: "after" },
    counts: { begin: 1, effect: 1, end: 0 },
    code: "outcome_unknown",
  },
};

const plans = new Map(
  Object.entries(cases).map(([name, { call }], index): [string, Plan] => [
    name,
    { id: `case${index}`, turns: [[call]] },
  ]),
);
const planFor = (name: string): Plan => plans.get(name) as Plan;

const batch: Plan = {
  id: "batch",
  turns: [[{ operation: "once" }, { operation: "once", hold: "after" }, { operation: "once" }]],
};
const left: Plan = { id: "left", turns: [[{ operation: "once", hold: "after" }, { operation: "once" }]] };
const dropped: Plan = { id: "dropped", turns: [[{ operation: "once", hold: "after" }]] };
const all = [...plans.values(), batch, left, dropped];

/** Resolves when the call of a plan that is held has come to where it waits. */
async function untilHeld(service: Service, plan: Plan): Promise<void> {
  const calls = plan.turns?.[0] ?? [];
  const index = calls.findIndex(({ hold }) => hold !== undefined);
  const word = calls[index]?.hold === "after" ? "effect" : "begin";
  await traced(service, word, callIdOf(plan, 1, index + 1)).catch((error: unknown) => {
    throw new Error(`${plan.id} ${calls[index]?.operation ?? ""}`, { cause: error });
  });
}

describe("calls cut by kill -9", function () {
  this.timeout(30_000);
  let service: Service;
  const holdFile = (): string => path.join(service.project.folder, "hold");
  const cutRuns = new Map<string, WireRun>();

  before(async () => {
    service = await openService(playPlans, { "runs.max_parallel": 64 });
    await service.start();
    writeFileSync(holdFile(), "");
    for (const plan of all) void follow(service, plan);
    const { toolCallId } = await pendingIn(service, planFor("an approved call").id);
    await answer(service, toolCallId, { approved: true });
    for (const plan of all) await untilHeld(service, plan);
    await service.restart();
    rmSync(holdFile());
    for (const { id } of all) cutRuns.set(id, await runOf(service, id));
    for (const plan of [...plans.values(), batch])
      await service.json("POST", `/api/runs/${cutRuns.get(plan.id)?.id ?? ""}/resume`);
  });
  after(() => service.close());

  it("leave their runs interrupted until somebody resumes them", () => {
    expect([...cutRuns.values()].map(({ status }) => status)).to.deep.equal(all.map(() => "interrupted"));
  });

  it("tell who follows their runs that they are interrupted", async () => {
    const answer = await service.request("GET", `/api/runs/${cutRuns.get(left.id)?.id ?? ""}/events`);
    const [number, name, data] = (await answer.text()).trim().split("\n\n").at(-1)?.split("\n") ?? [];
    expect([number, name]).to.deep.equal([`id: ${/\d+/.exec(number ?? "")?.[0]}`, "event: state"]);
    expect(data).to.include('"status":"interrupted"');
  });

  for (const [name, { counts, code }] of Object.entries(cases))
    it(`${name}: ${code ?? "done in the end"}, with ${counts.effect} effect${counts.effect === 1 ? "" : "s"}`, async () => {
      const plan = planFor(name);
      const run = await runWith(service, plan.id, "ended");
      expect(run).to.deep.include({
        id: cutRuns.get(plan.id)?.id,
        completion_reason: "workflow_complete",
        tool_call_count: 1,
      });
      expect(traceOf(service, callIdOf(plan))).to.deep.equal(counts);
      const outcomes = await outcomesOf(service, plan.id);
      expect(outcomes.map(({ success, error_code }) => [success, error_code])).to.deep.equal([
        [code === undefined, code],
      ]);
      const messages = await messagesOf(service, plan.id);
      expect(messages.map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool", "assistant"]);
      expect(messages.at(-1)?.content).to.equal(finalText(plan));
    });

  it("of a doubtful call the model is told to check before it repeats it", async () => {
    const { id } = planFor("once, after its effect");
    await runWith(service, id, "ended");
    const last = service.project.model.requests.findLastIndex((request) => planOf(request).plan.id === id);
    const told = JSON.parse(sentTo(service.project.model, last).at(-1)?.content ?? "") as Outcome;
    expect(told.message).to.match(/check whether it happened before you repeat it/i);
  });

  it("of a batch: a stored result is used, the doubtful call is not repeated, and what was not started runs, in order", async () => {
    await runWith(service, batch.id, "ended");
    const ids = [1, 2, 3].map((number) => callIdOf(batch, 1, number));
    const effects = service.traces().filter(({ word, callId }) => word === "effect" && ids.includes(callId));
    expect(effects.map(({ callId }) => callId)).to.deep.equal(ids);
    const outcomes = await outcomesOf(service, batch.id);
    expect(outcomes.map(({ error_code }) => error_code)).to.deep.equal([
      undefined,
      "outcome_unknown",
      undefined,
    ]);
    const asked = service.project.model.requests.filter((request) => planOf(request).plan.id === batch.id);
    expect(asked).to.have.lengthOf(2);
  });

  it("are settled for good: another kill afterwards changes nothing", async () => {
    for (const { id } of [...plans.values(), batch]) await runWith(service, id, "ended");
    const before = service.traces();
    const outcomes = await outcomesOf(service, batch.id);
    await service.restart();
    expect(service.traces()).to.deep.equal(before);
    expect(await outcomesOf(service, batch.id)).to.deep.equal(outcomes);
    const { status, body } = await service.json<{ error: { code: string } }>(
      "POST",
      `/api/runs/${cutRuns.get(batch.id)?.id ?? ""}/resume`,
    );
    expect([status, body.error.code]).to.deep.equal([409, "not_resumable"]);
  });

  it("are told to the model even when a new message ends their run", async () => {
    const next: Plan = { id: "left-next" };
    const body = { ...chatBody(service, next), conversationId: left.id };
    expect((await service.json("POST", "/api/chat/completions", body)).status).to.equal(200);
    const { status, completion_reason: reason } = (
      await service.json<WireRun>("GET", `/api/runs/${cutRuns.get(left.id)?.id ?? ""}`)
    ).body;
    expect([status, reason]).to.deep.equal(["ended", "cancelled"]);
    const results = sentTo(service.project.model, -1).filter(({ role }) => role === "tool");
    const codes = results.map(({ content }) => (JSON.parse(content ?? "") as Outcome).error_code);
    expect(codes).to.deep.equal(["outcome_unknown", "cancelled"]);
    expect(traceOf(service, callIdOf(left, 1, 2)).begin).to.equal(0);
  });

  it("stay in the history as doubtful when their run is given up", async () => {
    const run = cutRuns.get(dropped.id)?.id ?? "";
    expect((await service.json("DELETE", `/api/runs/${run}`)).status).to.equal(202);
    expect((await runWith(service, dropped.id, "ended")).completion_reason).to.equal("cancelled");
    expect((await outcomesOf(service, dropped.id)).map(({ error_code }) => error_code)).to.deep.equal([
      "outcome_unknown",
    ]);
    expect(traceOf(service, callIdOf(dropped))).to.deep.equal({ begin: 1, effect: 1, end: 0 });
  });
});
