import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { chatBody, follow } from "../faults/support/chat.ts";
import { playPlans, type Plan } from "../faults/support/plan.ts";
import { openService, type Service } from "../faults/support/service.ts";
import { residentOf } from "../faults/support/watch-process.ts";
import { addFigure, sizeFor } from "../support/figures.ts";

const minutes = sizeFor("SOAK_MINUTES", 0.1);
/** Below this a slope tells of warming up only. */
const meaningful = 30;

interface Sample {
  readonly hours: number;
  readonly megabytes: number;
  readonly descriptors: number;
}

/** What a value gains in an hour, by the line through all samples. */
function slope(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const mean = (pick: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length;
  const [x, y] = [mean(({ hours }) => hours), mean(value)];
  const both = samples.reduce((sum, sample) => sum + (sample.hours - x) * (value(sample) - y), 0);
  const square = samples.reduce((sum, { hours }) => sum + (hours - x) ** 2, 0);
  return square === 0 ? 0 : both / square;
}

describe(`${minutes} minutes of mixed work`, function () {
  this.timeout((minutes + 5) * 60_000);
  let service: Service;
  before(async () => {
    service = await openService(playPlans);
    await service.start();
  });
  after(() => service.close());

  /** A chat with tools, a client that leaves, a refused request, a conversation that goes. */
  async function work(number: number): Promise<void> {
    const plan: Plan = { id: `soak-${number}`, turns: [[{ operation: "once" }, { operation: "look" }]] };
    expect(await follow(service, plan)).to.equal("ended");
    const gone = AbortSignal.timeout(50);
    const body = JSON.stringify(chatBody(service, { id: `gone-${number}`, pause: 50 }, { stream: true }));
    const headers = { "content-type": "application/json" };
    const route = `${service.url}/api/chat/completions`;
    await fetch(route, { method: "POST", headers, body, signal: gone })
      .then((answer) => answer.text())
      .catch(() => undefined);
    expect((await service.json("POST", "/api/chat/completions", {})).status).to.equal(400);
    await service.json("DELETE", `/v1/conversations/${plan.id}`);
  }

  it("leaves memory and descriptors as they were", async () => {
    const begun = performance.now();
    const hours = (): number => (performance.now() - begun) / 3_600_000;
    const pid = service.program.child.pid ?? 0;
    const samples: Sample[] = [];
    for (let number = 0; hours() * 60 < minutes; number++) {
      await work(number);
      const descriptors = readdirSync(`/proc/${pid}/fd`).length;
      samples.push({ hours: hours(), megabytes: residentOf(pid), descriptors });
      await setTimeout(100);
    }
    const later = samples.slice(Math.floor(samples.length / 2));
    const gains = [
      slope(later, ({ megabytes }) => megabytes),
      slope(later, ({ descriptors }) => descriptors),
    ];
    expect(samples.length).to.be.at.least(2);
    if (minutes < meaningful) return;
    addFigure("megabytes of heap more in an hour", gains[0]);
    addFigure("descriptors more in an hour", gains[1]);
  });
});
