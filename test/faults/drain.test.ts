import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { addFigure, sizeFor } from "../support/figures.ts";
import { approvals, eventually } from "../support/lab-stage.ts";
import { follow } from "./support/chat.ts";
import { playPlans, type Plan } from "./support/plan.ts";
import { randomFrom } from "./support/random.ts";
import { openService, type Service } from "./support/service.ts";

const cases = sizeFor("DRAINS", 4);
const seed = sizeFor("SEED", 1);
const loads = [
  { name: "idle", streams: 0, questions: 0 },
  { name: "50 streams", streams: 50, questions: 0 },
  { name: "20 approvals", streams: 0, questions: 20 },
  { name: "50 streams and 20 approvals", streams: 50, questions: 20 },
] as const;
/** Milliseconds that a stop may take. */
const limit = 30_000;

const plansFor = (turn: number, kind: string, count: number, more: Omit<Plan, "id">): readonly Plan[] =>
  Array.from({ length: count }, (_, number) => ({ id: `d${turn}-${kind}-${number}`, ...more }));

describe(`SIGTERM at ${cases} moments (seed ${seed}, F17)`, function () {
  this.timeout(60_000);
  let service: Service;
  const random = randomFrom(seed);

  before(async () => {
    service = await openService(playPlans, { "runs.max_parallel": 200 });
    await service.start();
  });
  after(() => service.close());

  /** The questions of the conversations that were asked this turn. */
  const asked = async (turn: number) =>
    (await approvals(service, "?status=pending&limit=1000"))
      .map(({ toolCallId }) => toolCallId)
      .filter((id) => id.startsWith(`d${turn}-`))
      .toSorted();

  for (let turn = 0; turn < cases; turn++) {
    const { name, streams, questions } = loads[turn % loads.length] ?? loads[0];
    it(`${turn + 1}, ${name}: each stream ends properly, questions stay, the exit is 0`, async () => {
      const talking = plansFor(turn, "talk", streams, { think: 200, pause: 300 });
      const asking = plansFor(turn, "ask", questions, { turns: [[{ operation: "ask" }]] });
      const { requests } = service.project.model;
      const before = requests.length;
      const followed = [...talking, ...asking].map((plan) => follow(service, plan));
      const all = before + streams + questions;
      for (const late = performance.now() + 20_000; requests.length < all; await setTimeout(10))
        if (performance.now() > late) throw new Error(`${requests.length - before} of ${all - before} came`);
      const open = await eventually(async () => {
        const pending = await asked(turn);
        return pending.length === questions ? pending : undefined;
      });
      await setTimeout(random.between(0, 600));
      const begun = performance.now();
      const code = await service.program.end("SIGTERM");
      const said = service.program.stderr;
      const took = performance.now() - begun;
      const ends = await Promise.all(followed);
      await service.start();
      const cut = ends.filter((end) => end === "cut");
      addFigure("SIGTERM cases");
      addFigure("faults");
      addFigure("streams cut off", cut.length);
      addFigure("milliseconds of the slowest stop", took);
      expect(code, said).to.equal(0);
      expect(took).to.be.below(limit);
      expect(cut).to.deep.equal([]);
      const others = ends.filter((end) => end !== "ended" && !end.includes("shutting_down"));
      expect(others).to.deep.equal([]);
      addFigure("questions lost", open.length - (await asked(turn)).length);
      expect(await asked(turn)).to.deep.equal(open);
      await checkKept(talking.filter((_, index) => ends[index] === "ended"));
    });
  }

  /** Answers that came to their end are stored. */
  async function checkKept(plans: readonly Plan[]): Promise<void> {
    for (const { id } of plans)
      expect((await service.json("GET", `/v1/conversations/${id}?messages=false`)).status, id).to.equal(200);
  }

  it("a second signal ends it within a second", async () => {
    const plans = plansFor(cases, "talk", 5, { think: 60_000 });
    const followed = plans.map((plan) => follow(service, plan));
    await eventually(() => (service.project.model.requests.length > 0 ? true : undefined));
    service.program.child.kill("SIGTERM");
    const begun = performance.now();
    await service.program.end("SIGTERM");
    addFigure("SIGTERM cases");
    expect(performance.now() - begun).to.be.below(5000);
    await Promise.all(followed);
  });
});
