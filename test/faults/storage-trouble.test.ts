import { spawnSync } from "node:child_process";
import { expect } from "chai";
import { allChunks } from "@pergola/sdk/testing";
import {
  eventually,
  messagesOf,
  outcomesOf,
  runOf,
  runWith,
  type ChatAnswer,
  type WireRun,
} from "../support/lab-stage.ts";
import { chatBody, follow, traced, traceOf } from "./support/chat.ts";
import { callIdOf, finalText, playPlans, type Plan } from "./support/plan.ts";
import { openService, type Service } from "./support/service.ts";
import { verifies } from "../support/verifies.ts";

const hasPrlimit = spawnSync("prlimit", ["--version"]).status === 0;

describe("a disk that takes nothing more", function () {
  this.timeout(30_000);
  let service: Service;
  const limitFiles = (bytes: string): void => {
    const { status, stderr } = spawnSync(
      "prlimit",
      ["--pid", String(service.program.child.pid), `--fsize=${bytes}:`],
      {
        encoding: "utf8",
      },
    );
    if (status !== 0) throw new Error(stderr);
  };
  const full = (): void => limitFiles("65536");
  const free = (): void => limitFiles("unlimited");
  const chat = async (plan: Plan, conversationId = plan.id) => {
    const { status, body } = await service.json<ChatAnswer>("POST", "/api/chat/completions", {
      ...chatBody(service, plan),
      conversationId,
    });
    return { status, code: body.error?.code, text: body.choices?.[0]?.message.content };
  };
  const contents = async (id: string) => (await messagesOf(service, id)).map(({ content }) => content);

  before(async function () {
    if (!hasPrlimit) return this.skip();
    service = await openService(playPlans);
    await service.start();
    await chat({ id: "kept" });
  });
  afterEach(() => free());
  after(() => service?.close());

  it("answers storage_unavailable to what it cannot keep, and still reads; goes on by itself when there is room", async () => {
    full();
    expect(await chat({ id: "refused" })).to.deep.include({ status: 503, code: "storage_unavailable" });
    expect(await chat({ id: "more" }, "kept")).to.deep.include({ status: 503, code: "storage_unavailable" });
    const made = await service.json<{ error: { code: string } }>("POST", "/v1/conversations", { id: "made" });
    expect([made.status, made.body.error.code]).to.deep.equal([503, "storage_unavailable"]);
    const patched = await service.json<{ error: { code: string } }>("PATCH", "/v1/conversations/kept", {
      title: "Other",
    });
    expect([patched.status, patched.body.error.code]).to.deep.equal([503, "storage_unavailable"]);
    expect(await contents("kept")).to.deep.equal([JSON.stringify({ id: "kept" }), finalText({ id: "kept" })]);
    expect((await service.json<{ count: number }>("GET", "/v1/conversations")).body.count).to.equal(1);
    free();
    expect(await chat({ id: "again" }, "kept")).to.include({ status: 200, text: finalText({ id: "again" }) });
    expect(await chat({ id: "refused" })).to.include({ status: 200 });
    expect(await contents("kept")).to.deep.equal([
      JSON.stringify({ id: "kept" }),
      finalText({ id: "kept" }),
      JSON.stringify({ id: "again" }),
      finalText({ id: "again" }),
    ]);
    expect((await service.json("POST", "/v1/conversations", { id: "made" })).status).to.equal(201);
  });

  verifies(
    "http:health-degraded",
    "R11: /health is 503 degraded while nothing can be written, and ok again as soon as it can",
    async () => {
      const health = async () => {
        const { status: code, body } = await service.json<{ status: string; reason?: string }>(
          "GET",
          "/health",
        );
        return { code, ...body };
      };
      expect(await health()).to.include({ code: 200, status: "ok" });
      full();
      const degraded = await eventually(async () => {
        const answer = await health();
        return answer.status === "degraded" ? answer : undefined;
      });
      expect(degraded.code).to.equal(503);
      expect(degraded.reason).to.include("disk");
      free();
      expect(await health()).to.include({ code: 200, status: "ok" });
    },
  );

  it("ends a stream with the error, not as if all was well", async () => {
    full();
    const reply = await service.request(
      "POST",
      "/api/chat/completions",
      chatBody(service, { id: "stream", pause: 20 }, { stream: true }),
    );
    const chunks = await allChunks(reply);
    expect(chunks.at(-1)).to.have.nested.property("error.code", "storage_unavailable");
    expect(chunks.some(({ choices }) => typeof choices?.[0]?.finish_reason === "string")).to.equal(false);
  });

  it("lets no effect happen that it cannot write down before", async () => {
    const plan: Plan = { id: "unwritten", think: 300, turns: [[{ operation: "once" }]] };
    const asked = service.project.model.requests.length;
    const answered = chat(plan);
    await eventually(() => service.project.model.requests[asked]);
    full();
    expect(await answered).to.deep.include({ status: 503, code: "storage_unavailable" });
    expect(traceOf(service, callIdOf(plan))).to.deep.equal({ begin: 0, effect: 0, end: 0 });
  });

  it("says so when only a result cannot be stored, and ends the run", async () => {
    const plan: Plan = { id: "large", turns: [[{ operation: "once", size: 4_000_000 }]] };
    limitFiles("2000000");
    expect((await chat(plan)).status).to.equal(200);
    expect((await runOf(service, plan.id)).completion_reason).to.equal("tool_execution_failed");
    const [outcome] = await outcomesOf(service, plan.id);
    expect(outcome).to.deep.include({
      success: false,
      error: "The call was made, but its result could not be stored.",
    });
    expect(traceOf(service, callIdOf(plan))).to.deep.equal({ begin: 1, effect: 1, end: 1 });
  });

  it("answers at once, whatever was under way, when nothing can even be read", async () => {
    const running = ["one", "two"].map((id) => chat({ id, think: 300 }));
    const asked = service.project.model.requests.length;
    await eventually(() => service.project.model.requests[asked + 1]);
    limitFiles("0");
    for (const answer of await Promise.all(running))
      expect(answer).to.deep.include({ status: 503, code: "storage_unavailable" });
    expect(await chat({ id: "three" })).to.deep.include({ status: 503, code: "storage_unavailable" });
    free();
    for (const id of ["one", "two", "three"])
      expect(await chat({ id })).to.include({ status: 200, text: finalText({ id }) });
  });

  for (const how of ["at once", "after the next start"])
    it(`leaves a run that could not keep a result as one to go on with ${how}`, async () => {
      const plan: Plan = { id: `unkept-${how.length}`, turns: [[{ operation: "once", after: 400 }]] };
      const end = follow(service, plan);
      await traced(service, "effect", callIdOf(plan));
      full();
      expect(await end).to.include("storage_unavailable");
      free();
      if (how !== "at once") await service.restart();
      const { id, status } = await runOf(service, plan.id);
      expect(status).to.equal("interrupted");
      expect((await service.json("POST", `/api/runs/${id}/resume`)).status).to.equal(200);
      await runWith(service, plan.id, "ended");
      expect((await messagesOf(service, plan.id)).map(({ role }) => role)).to.deep.equal([
        "user",
        "assistant",
        "tool",
        "assistant",
      ]);
      expect((await outcomesOf(service, plan.id))[0]).to.include({ error_code: "outcome_unknown" });
      expect(traceOf(service, callIdOf(plan)).effect).to.equal(1);
    });

  it("lets a new message end such a run", async () => {
    const plan: Plan = { id: "unkept", turns: [[{ operation: "once", after: 400 }]] };
    const end = follow(service, plan);
    await traced(service, "effect", callIdOf(plan));
    full();
    expect(await end).to.include("storage_unavailable");
    free();
    const { id } = await runOf(service, plan.id);
    expect((await chat({ id: "after" }, plan.id)).status).to.equal(200);
    expect((await service.json<WireRun>("GET", `/api/runs/${id}`)).body).to.include({
      status: "ended",
      completion_reason: "cancelled",
    });
    const said = (await messagesOf(service, plan.id)).map(({ role }) => role);
    expect(said).to.deep.equal(["user", "assistant", "tool", "user", "assistant"]);
  });
});
