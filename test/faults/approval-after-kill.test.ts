import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import {
  answer,
  approvals,
  eventually,
  outcomesOf,
  pendingIn,
  runOf,
  runWith,
  type Outcome,
  type WireApproval,
  type WireRun,
} from "../support/lab-stage.ts";
import { chatBody, follow, traced, traceOf } from "./support/chat.ts";
import { callIdOf, playPlans, type Plan } from "./support/plan.ts";
import { openService, type Service } from "./support/service.ts";

const asking = (id: string): Plan => ({ id, turns: [[{ operation: "ask" }]] });
const once = { begin: 1, effect: 1, end: 1 };
const never = { begin: 0, effect: 0, end: 0 };

const waiting = ["yes", "no", "late", "twice", "replaced", "deleted", "dropped"].map(asking);
const question: Plan = { id: "question", turns: [[{ prompt: "Red or blue?" }]] };
const grant: Plan = {
  id: "grant",
  turns: [
    [{ prompt: "May I?", authorize_operation: "effects.ask" }],
    [{ prompt: "Now?" }],
    [{ operation: "ask" }],
  ],
};

describe("approvals after kill -9", function () {
  this.timeout(30_000);
  let service: Service;
  const asked = new Map<string, WireApproval>();
  const shown = (id: string): WireApproval => asked.get(id) as WireApproval;
  const runBy = async (id: string): Promise<WireRun> =>
    (await service.json<WireRun>("GET", `/api/runs/${shown(id).runId ?? ""}`)).body;
  const byHand = async (): Promise<string> => {
    const call = {
      tool: "effects.ask",
      arguments: { hold: "after" },
      workingDirectory: service.project.folder,
    };
    const { body } = await service.json<{ approvalId: string }>("POST", "/debug/mcp/execute", call);
    return body.approvalId;
  };
  const resultOf = (id: string): Promise<Outcome> =>
    eventually(
      async () => (await service.json<WireApproval>("GET", `/api/approvals/${id}`)).body.result ?? undefined,
    );
  let [handed, cut] = ["", ""];

  before(async () => {
    service = await openService(playPlans);
    await service.start();
    const holdFile = path.join(service.project.folder, "hold");
    for (const plan of [...waiting, question, grant]) void follow(service, plan);
    const permission = await pendingIn(service, grant.id);
    await answer(service, permission.toolCallId, { approved: true });
    await pendingIn(service, grant.id, permission);
    [handed, cut] = [await byHand(), await byHand()];
    writeFileSync(holdFile, "");
    await answer(service, cut, { approved: true });
    const { toolCallId } = (await service.json<WireApproval>("GET", `/api/approvals/${cut}`)).body;
    await traced(service, "effect", toolCallId);
    for (const { id } of [...waiting, question]) asked.set(id, await pendingIn(service, id));
    asked.set("hand", await pendingIn(service, "debug"));
    asked.set(grant.id, await pendingIn(service, grant.id));
    await service.restart();
    rmSync(holdFile);
  });
  after(() => service.close());

  it("are all there, as they were shown, and their runs are interrupted", async () => {
    const listed = await approvals(service);
    expect(new Map(listed.map((one) => [one.id, one]))).to.deep.equal(
      new Map([...asked.values()].map((one) => [one.id, one])),
    );
    for (const { id } of waiting)
      expect(await runOf(service, id)).to.deep.include({
        status: "interrupted",
        pendingToolCallIds: [callIdOf({ id })],
      });
  });

  it("a yes lets the run go on, and the call runs once", async () => {
    expect((await answer(service, callIdOf({ id: "yes" }), { approved: true })).status).to.equal(200);
    expect(await runWith(service, "yes", "ended")).to.include({
      id: shown("yes").runId,
      completion_reason: "workflow_complete",
    });
    expect(traceOf(service, callIdOf({ id: "yes" }))).to.deep.equal(once);
    const late = await answer(service, callIdOf({ id: "yes" }), { approved: true });
    expect([late.status, late.body.error?.code]).to.deep.equal([409, "already_answered"]);
  });

  it("a no lets the run go on without the call", async () => {
    await answer(service, callIdOf({ id: "no" }), { approved: false, userResponse: "Not today" });
    await runWith(service, "no", "ended");
    const [outcome] = await outcomesOf(service, "no");
    expect(outcome?.error_code).to.equal("denied");
    expect(outcome?.error).to.include("Not today");
    expect(traceOf(service, callIdOf({ id: "no" }))).to.deep.equal(never);
  });

  it("of two answers at once one wins, and the call runs once", async () => {
    const given = await Promise.all(
      [1, 2, 3, 4].map(() => answer(service, callIdOf({ id: "twice" }), { approved: true })),
    );
    expect(given.map(({ status }) => status).toSorted()).to.deep.equal([200, 409, 409, 409]);
    await runWith(service, "twice", "ended");
    expect(traceOf(service, callIdOf({ id: "twice" }))).to.deep.equal(once);
  });

  it("a question takes its answer", async () => {
    await answer(service, shown(question.id).toolCallId, { userResponse: "blue" });
    await runWith(service, question.id, "ended");
    expect((await outcomesOf(service, question.id))[0]?.data).to.equal("User response: blue");
  });

  it("a permission that was given and not used is there, and is used up by one call", async () => {
    const grants = async () =>
      (await service.json<{ grants: { operation: string }[] }>("GET", "/api/grants?conversationId=grant"))
        .body.grants;
    expect((await grants()).map(({ operation }) => operation)).to.deep.equal(["effects.ask"]);
    await answer(service, shown(grant.id).toolCallId, { userResponse: "now" });
    await runWith(service, grant.id, "ended");
    expect(traceOf(service, callIdOf(grant, 3))).to.deep.equal(once);
    expect(await grants()).to.deep.equal([]);
  });

  it("a call by hand runs after its answer; one that was cut is reported as doubtful", async () => {
    await answer(service, handed, { approved: true });
    expect(await resultOf(handed)).to.include({ success: true, data: `did ${shown("hand").toolCallId}` });
    expect(traceOf(service, shown("hand").toolCallId)).to.deep.equal(once);
    const { error_code: code } = await resultOf(cut);
    expect(code).to.equal("outcome_unknown");
    const { toolCallId } = (await service.json<WireApproval>("GET", `/api/approvals/${cut}`)).body;
    expect(traceOf(service, toolCallId)).to.deep.equal({ begin: 1, effect: 1, end: 0 });
  });

  it("a new message in the conversation ends the run and cancels its question", async () => {
    const body = { ...chatBody(service, { id: "next" }), conversationId: "replaced" };
    expect((await service.json("POST", "/api/chat/completions", body)).status).to.equal(200);
    expect(await runBy("replaced")).to.include({ status: "ended", completion_reason: "cancelled" });
    expect((await answer(service, callIdOf({ id: "replaced" }), { approved: true })).status).to.equal(409);
    expect(traceOf(service, callIdOf({ id: "replaced" }))).to.deep.equal(never);
    expect((await outcomesOf(service, "replaced")).map(({ error_code }) => error_code)).to.deep.equal([
      "cancelled",
    ]);
  });

  it("a cancelled run and a deleted conversation take theirs along", async () => {
    await service.json("DELETE", `/api/runs/${shown("dropped").runId ?? ""}`);
    expect((await answer(service, callIdOf({ id: "dropped" }), { approved: true })).status).to.equal(409);
    await service.json("DELETE", "/v1/conversations/deleted");
    expect((await answer(service, callIdOf({ id: "deleted" }), { approved: true })).status).to.equal(404);
    for (const id of ["dropped", "deleted"]) expect(traceOf(service, callIdOf({ id }))).to.deep.equal(never);
  });

  it("what nobody has answered waits through further kills, resumed or not", async () => {
    await service.restart();
    expect(await approvals(service)).to.deep.equal([shown("late")]);
    await service.json("POST", `/api/runs/${shown("late").runId ?? ""}/resume`);
    await runWith(service, "late", "waiting");
    await service.restart();
    expect(await approvals(service)).to.deep.equal([shown("late")]);
    await answer(service, callIdOf({ id: "late" }), { approved: true });
    expect((await runWith(service, "late", "ended")).completion_reason).to.equal("workflow_complete");
    expect(traceOf(service, callIdOf({ id: "late" }))).to.deep.equal(once);
  });
});
