import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect } from "chai";
import { addFigure } from "../support/figures.ts";
import { answer, eventually, messagesOf, pendingIn, runWith } from "../support/lab-stage.ts";
import { freePort } from "../support/pergola.ts";
import { chatBody, follow, traced, traceOf } from "./support/chat.ts";
import { callIdOf, finalText, playPlans, type Plan } from "./support/plan.ts";
import { openService, type Service } from "./support/service.ts";

const ended: Plan["id"] = "ended";
const chat = (service: Service, plan: Plan, conversationId = plan.id) =>
  service.json<{ error?: { code: string } }>("POST", "/api/chat/completions", {
    ...chatBody(service, plan),
    conversationId,
  });

describe("a process that is held up", function () {
  this.timeout(60_000);
  let service: Service;
  before(async () => {
    service = await openService(playPlans);
    await service.start();
  });
  after(() => service.close());

  for (let turn = 0; turn < 3; turn++)
    it(`goes on where it was after SIGSTOP and SIGCONT, and does nothing twice (F4, ${turn + 1})`, async () => {
      const plan: Plan = { id: `stopped-${turn}`, turns: [[{ operation: "once", after: 300 }]], pause: 50 };
      const end = follow(service, plan);
      if (turn === 0) await traced(service, "begin", callIdOf(plan));
      if (turn === 1) await traced(service, "effect", callIdOf(plan));
      service.program.child.kill("SIGSTOP");
      await setTimeout(2500);
      service.program.child.kill("SIGCONT");
      expect(await end).to.equal(ended);
      expect(traceOf(service, callIdOf(plan))).to.deep.equal({ begin: 1, effect: 1, end: 1 });
      addFigure("faults");
    });

  it("answers others while the store is locked by another program, and writes again afterwards (F7)", async () => {
    const other = new Database(path.join(service.project.data, "pergola.db"));
    other.exec("BEGIN IMMEDIATE");
    try {
      const refused = chat(service, { id: "locked" });
      const begun = performance.now();
      expect((await service.json("GET", "/openapi.json")).status).to.equal(200);
      expect(performance.now() - begun).to.be.below(1500);
      const { status, body } = await refused;
      expect([status, body.error?.code]).to.deep.equal([503, "storage_unavailable"]);
    } finally {
      other.exec("ROLLBACK");
      other.close();
    }
    expect((await chat(service, { id: "unlocked" })).status).to.equal(200);
    addFigure("faults");
  });

  it("lets 20 messages at once into one conversation, each with its own answer after it (F23)", async () => {
    const plans = Array.from({ length: 20 }, (_, number): Plan => ({ id: `at-once-${number}` }));
    const answers = await Promise.all(plans.map((plan) => chat(service, plan, "at-once")));
    const taken = plans.filter((_, index) => answers[index]?.status === 200);
    const others = answers.filter(({ status }) => status !== 200).map(({ body }) => body.error?.code);
    expect(new Set(others).size).to.be.at.most(1);
    expect(taken.length).to.be.at.least(1);
    const said = (await messagesOf(service, "at-once")).map(({ content }) => content);
    const pairs = Array.from({ length: said.length / 2 }, (_, index) => said.slice(2 * index, 2 * index + 2));
    expect(pairs.length).to.equal(taken.length);
    const expected = taken.map((plan) => [JSON.stringify(plan), finalText(plan)].join());
    expect(pairs.map((pair) => pair.join()).toSorted()).to.deep.equal(expected.toSorted());
    addFigure("faults", 20);
  });

  it("lets no second host in, not even when the lock was deleted", async () => {
    for (const file of ["pergola.lock", "pergola.pid"]) rmSync(path.join(service.project.data, file));
    const second = await service.project.run(["start", "--port", String(await freePort())]);
    expect(second.code).to.equal(3);
    expect(second.stderr).to.include("in use by another Pergola");
    expect((await chat(service, { id: "still" })).status).to.equal(200);
    addFigure("faults");
  });
});

describe("a clock that jumps (F16)", function () {
  this.timeout(60_000);
  let service: Service;
  const preload = pathToFileURL(path.join(import.meta.dirname, "support", "clock.preload.mjs")).href;
  const jump = (milliseconds: number): void =>
    writeFileSync(path.join(service.project.folder, "clock"), String(milliseconds));

  before(async () => {
    service = await openService(playPlans);
    const file = path.join(service.project.folder, "clock");
    await service.start({ environment: { CLOCK_FILE: file, NODE_OPTIONS: `--import=${preload}` } });
  });
  after(() => service.close());

  const day = 86_400_000;
  const jumps = { "a day on": day, "a day back": -day, "an hour back": -3_600_000, "to 1970": -Date.now() };
  for (const [name, by] of Object.entries({ ...jumps, "a second back": -1000 }))
    it(`${name}: runs end, messages keep their order, questions take their answer`, async () => {
      jump(0);
      const id = `clock-${name.replaceAll(" ", "-")}`;
      const plan: Plan = { id, turns: [[{ operation: "ask" }]], pause: 60 };
      const end = follow(service, plan);
      const { toolCallId } = await pendingIn(service, id);
      jump(by);
      const health = await service.json<{ status: string }>("GET", "/health");
      expect(health.body.status).to.equal("ok");
      expect((await answer(service, toolCallId, { approved: true })).status).to.equal(200);
      expect(await end).to.equal(ended);
      await runWith(service, id, "ended");
      expect((await chat(service, { id: `${id}-next` }, id)).status).to.equal(200);
      const roles = (await messagesOf(service, id)).map(({ role }) => role);
      expect(roles).to.deep.equal(["user", "assistant", "tool", "assistant", "user", "assistant"]);
      addFigure("faults");
    });
});

describe("a process without descriptors (F20)", function () {
  this.timeout(60_000);
  let service: Service;
  const sockets: Socket[] = [];
  before(async function () {
    if (spawnSync("prlimit", ["--version"]).status !== 0) {
      process.stdout.write("    skipped: it needs the program prlimit of the package util-linux\n");
      return this.skip();
    }
    service = await openService(playPlans);
    await service.start({ through: ["prlimit", "--nofile=160:160"] });
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await service?.close();
  });

  it("answers while 300 others hold connections, and works again when they leave", async () => {
    const { port } = new URL(service.url);
    for (let number = 0; number < 300; number++)
      sockets.push(connect(Number(port), "127.0.0.1").on("error", () => undefined));
    await setTimeout(1000);
    const plan: Plan = { id: "tight" };
    const answered = await eventually(() => chat(service, plan).catch(() => undefined));
    expect(answered.status).to.equal(200);
    for (const socket of sockets.splice(0)) socket.destroy();
    const next = await eventually(() => chat(service, { id: "free" }).catch(() => undefined));
    expect(next.status).to.equal(200);
    expect(service.program.child.exitCode).to.equal(null);
    addFigure("faults");
  });
});
