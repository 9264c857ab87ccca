import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { addFigure, sizeFor } from "../support/figures.ts";
import { eventually } from "../support/lab-stage.ts";
import { chatBody } from "./support/chat.ts";
import { planOf, playPlans, type Plan } from "./support/plan.ts";
import { randomFrom } from "./support/random.ts";
import { openService, type Service } from "./support/service.ts";

const disconnects = sizeFor("DISCONNECTS", 40);
const seed = sizeFor("SEED", 1);
const width = 10;

const descriptorsOf = ({ program }: Service): number => readdirSync(`/proc/${program.child.pid}/fd`).length;

describe(`${disconnects} clients that go away (seed ${seed}, F11)`, function () {
  this.timeout(120_000);
  let service: Service;
  const random = randomFrom(seed);
  const outcomes = new Map<string, Promise<"answered" | "aborted">>();

  before(async () => {
    service = await openService(
      (request) => {
        outcomes.set(planOf(request).plan.id, request.outcome);
        return playPlans(request);
      },
      { "runs.max_parallel": 100 },
    );
    await service.start();
  });
  after(() => service.close());

  /** Goes away after so long; gives the milliseconds until the model was let go, where it had been asked. */
  async function leave(plan: Plan, after: number): Promise<number | undefined> {
    const gone = new AbortController();
    const body = JSON.stringify(chatBody(service, plan, { stream: true }));
    const sent = fetch(`${service.url}/api/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: gone.signal,
    });
    const read = sent.then((answer) => answer.text());
    await Promise.race([read.catch(() => undefined), setTimeout(after)]);
    gone.abort();
    const left = performance.now();
    await read.catch(() => undefined);
    await setTimeout(300);
    const outcome = outcomes.get(plan.id);
    if (outcome === undefined) return undefined;
    const late = setTimeout(10_000, "never" as const, { ref: false });
    return (await Promise.race([outcome, late])) === "never" ? Infinity : performance.now() - left;
  }

  it("stops the model within a second each time, and leaves nothing open", async () => {
    await leave({ id: "warm" }, 5000);
    await setTimeout(1000);
    const base = descriptorsOf(service);
    const delays: number[] = [];
    let number = 0;
    const client = async (): Promise<void> => {
      while (number < disconnects) {
        const plan: Plan = { id: `gone-${number++}`, think: random.between(0, 200), pause: 1000 };
        const delay = await leave(plan, random.between(0, 600));
        if (delay !== undefined) delays.push(Math.max(0, delay - 300));
      }
    };
    await Promise.all(Array.from({ length: width }, client));
    const slowest = delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? Infinity;
    addFigure("disconnects", disconnects);
    addFigure("faults", disconnects);
    addFigure("ms to stop the model, p99", slowest);
    expect(delays.length).to.be.at.least(disconnects / 4);
    expect(slowest).to.be.below(5000);
    const rest = await eventually(async () => {
      const { body } = await service.json<{ runs: object[] }>("GET", "/api/runs?status=running");
      return body.runs.length === 0 && descriptorsOf(service) <= base + 12
        ? descriptorsOf(service)
        : undefined;
    }).catch(() => descriptorsOf(service));
    addFigure("descriptors left open", Math.max(0, rest - base - 12));
    expect(rest).to.be.at.most(base + 12);
  });
});
