import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { streamLines } from "@pergola/sdk/testing";
import {
  answer,
  approvals,
  eventually,
  messagesOf,
  outcomesOf,
  pendingIn,
  runOf,
  runWith,
  type WireApproval,
  type WireRun,
} from "../support/lab-stage.ts";
import { chatBody, follow, traced, traceOf } from "./support/chat.ts";
import { callIdOf, finalText, heldPlans, planOf, type Plan } from "./support/plan.ts";
import { openService, type Service } from "./support/service.ts";

const talking: Plan = { id: "talking", waits: true };
const once: Plan = { id: "once", turns: [[{ operation: "once", hold: "after" }, { operation: "look" }]] };
const repeat: Plan = { id: "repeat", turns: [[{ operation: "repeat", hold: "before" }]] };
const asking: Plan = { id: "asking", turns: [[{ operation: "ask" }]] };
const cancelled: Plan = { id: "cancelled", turns: [[{ operation: "repeat", hold: "before" }]] };
const silent: Plan = { id: "silent", think: 60_000 };

const holdFile = ({ project }: Service): string => path.join(project.folder, "hold");
const codesOf = async (service: Service, id: string) =>
  (await outcomesOf(service, id)).map(({ error_code: code }) => code);

/** Runs at work in every way: the model speaks, a call is before or after its effect, a question waits. */
async function atWork(service: Service): Promise<WireApproval> {
  writeFileSync(holdFile(service), "");
  for (const plan of [once, repeat, asking]) void follow(service, plan);
  await new Promise<void>((resolve) => void follow(service, talking, { saw: () => resolve() }));
  await traced(service, "effect", callIdOf(once));
  await traced(service, "begin", callIdOf(repeat));
  return pendingIn(service, asking.id);
}

describe("runs.resume after kill -9", function () {
  this.timeout(30_000);

  async function killedUnder(
    policy: string,
  ): Promise<{ readonly service: Service; readonly question: WireApproval }> {
    const plans = heldPlans();
    const service = await openService(plans.play, { "runs.resume": policy });
    await service.start();
    const question = await atWork(service);
    void follow(service, cancelled);
    await traced(service, "begin", callIdOf(cancelled));
    const { id } = await runOf(service, cancelled.id);
    expect((await service.json("DELETE", `/api/runs/${id}`)).status).to.equal(202);
    await service.kill();
    plans.release();
    rmSync(holdFile(service));
    await service.start();
    return { service, question };
  }

  it("auto: all go on by themselves, as if they had not been cut", async () => {
    const { service, question } = await killedUnder("auto");
    for (const plan of [talking, once, repeat]) {
      expect((await runWith(service, plan.id, "ended")).completion_reason, plan.id).to.equal(
        "workflow_complete",
      );
      const said = (await messagesOf(service, plan.id)).map(({ content }) => content);
      expect(said.filter((text) => text === finalText(plan))).to.have.lengthOf(1);
    }
    expect((await messagesOf(service, talking.id)).map(({ role }) => role)).to.deep.equal([
      "user",
      "assistant",
    ]);
    expect(await codesOf(service, once.id)).to.deep.equal(["outcome_unknown", undefined]);
    expect(traceOf(service, callIdOf(once)).effect).to.equal(1);
    expect(traceOf(service, callIdOf(repeat))).to.deep.equal({ begin: 2, effect: 1, end: 1 });
    expect((await runWith(service, asking.id, "waiting")).id).to.equal(question.runId);
    await answer(service, question.toolCallId, { approved: true });
    await runWith(service, asking.id, "ended");
    expect(traceOf(service, question.toolCallId)).to.deep.equal({ begin: 1, effect: 1, end: 1 });
    const given = await runOf(service, cancelled.id);
    expect([given.status, given.completion_reason]).to.deep.equal(["ended", "cancelled"]);
    expect(traceOf(service, callIdOf(cancelled)).begin).to.equal(1);
    await service.close();
  });

  it("never: all end with an error that says so, but those that wait for the person", async () => {
    const { service, question } = await killedUnder("never");
    for (const { id } of [talking, once, repeat]) {
      const run = await runOf(service, id);
      expect([run.status, run.completion_reason, run.had_errors, run.error?.code], id).to.deep.equal([
        "ended",
        "error",
        true,
        "shutting_down",
      ]);
    }
    expect(await codesOf(service, once.id)).to.deep.equal(["outcome_unknown", "cancelled"]);
    expect(await codesOf(service, repeat.id)).to.deep.equal(["outcome_unknown"]);
    expect((await runOf(service, cancelled.id)).completion_reason).to.equal("cancelled");
    expect((await runOf(service, asking.id)).status).to.equal("interrupted");
    expect((await approvals(service)).map(({ id }) => id)).to.deep.equal([question.id]);
    const asked = service.project.model.requests.length;
    await answer(service, question.toolCallId, { approved: true });
    expect((await runWith(service, asking.id, "ended")).completion_reason).to.equal("workflow_complete");
    const plans = service.project.model.requests.slice(asked).map((request) => planOf(request).plan.id);
    expect(plans).to.deep.equal([asking.id]);
    await service.close();
  });
});

describe("SIGTERM while runs work", function () {
  this.timeout(30_000);
  let service: Service;
  let question: WireApproval;
  const lines: string[] = [];
  const ended = { code: undefined as unknown, silent: { status: 0, code: "" } };

  before(async () => {
    const plans = heldPlans();
    service = await openService(plans.play);
    await service.start();
    question = await atWork(service);
    const reply = await service.request(
      "POST",
      "/api/chat/completions",
      chatBody(service, { ...talking, id: "heard" }, { stream: true }),
    );
    const whole = service.json<{ error: { code: string } }>(
      "POST",
      "/api/chat/completions",
      chatBody(service, silent),
    );
    await eventually(() =>
      service.project.model.requests.find((request) => planOf(request).plan.id === silent.id),
    );
    const stop = service.program.end("SIGTERM");
    for await (const line of streamLines(reply)) lines.push(line);
    const { status, body } = await whole;
    ended.silent = { status, code: body.error.code };
    ended.code = await stop;
    plans.release();
    rmSync(holdFile(service));
    await service.start();
  });
  after(() => service.close());

  it("ends with 0, each stream with the error line and [DONE]", () => {
    expect(ended.code).to.equal(0);
    expect(lines.at(-1)).to.equal("[DONE]");
    const last = JSON.parse(lines.at(-2) ?? "") as {
      readonly error: { readonly code: string; readonly type: string };
    };
    expect([last.error.code, last.error.type]).to.deep.equal(["shutting_down", "server_error"]);
    expect(lines.some((line) => line.includes('"finish_reason":"stop"'))).to.equal(false);
  });

  it("answers 503 shutting_down to who has seen nothing yet, and keeps nothing of it", async () => {
    expect(ended.silent).to.deep.equal({ status: 503, code: "shutting_down" });
    expect((await service.json("GET", `/v1/conversations/${silent.id}`)).status).to.equal(404);
  });

  it("leaves the runs interrupted and their questions open", async () => {
    for (const { id } of [talking, once, repeat, asking, { id: "heard" }])
      expect((await runOf(service, id)).status, id).to.equal("interrupted");
    expect(await approvals(service)).to.deep.equal([question]);
  });

  it("lets them go on: what was said in part is said anew, and what was cut in doubt is not repeated", async () => {
    for (const { id } of [talking, once, repeat]) {
      const run = await runOf(service, id);
      const resumed = await Promise.all(
        [1, 2, 3].map(() => service.json<WireRun>("POST", `/api/runs/${run.id}/resume`)),
      );
      expect(resumed.map(({ status }) => status).toSorted(), id).to.deep.equal([200, 409, 409]);
    }
    await answer(service, question.toolCallId, { approved: true });
    for (const plan of [talking, once, repeat, asking]) {
      expect((await runWith(service, plan.id, "ended")).completion_reason, plan.id).to.equal(
        "workflow_complete",
      );
      expect((await messagesOf(service, plan.id)).at(-1)?.content).to.equal(finalText(plan));
    }
    expect((await messagesOf(service, talking.id)).map(({ role }) => role)).to.deep.equal([
      "user",
      "assistant",
    ]);
    expect(await codesOf(service, once.id)).to.deep.equal(["outcome_unknown", undefined]);
    expect(traceOf(service, callIdOf(once))).to.deep.equal({ begin: 1, effect: 1, end: 0 });
    expect(traceOf(service, callIdOf(repeat))).to.deep.equal({ begin: 2, effect: 1, end: 1 });
    expect(traceOf(service, question.toolCallId)).to.deep.equal({ begin: 1, effect: 1, end: 1 });
  });
});
