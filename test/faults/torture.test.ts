import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { addFigure, sizeFor } from "../support/figures.ts";
import { eventually } from "../support/lab-stage.ts";
import { coreScenarios, type Scenario, type Send } from "./support/core-scenarios.ts";
import { playPlans } from "./support/plan.ts";
import { openService, type Service } from "./support/service.ts";
import { startTortured, type Torture, type TortureState } from "./support/torture.ts";

/** Each so many-th call fails, for a shorter run: 1 for all of them. */
const every = sizeFor("TORTURE_EVERY", 10);
/** Milliseconds in which an answer must have come. */
const patience = 10_000;

interface Failure {
  readonly error?: { readonly code?: string; readonly message?: string; readonly type?: string };
}

describe(`each call that can fail, failed once (every ${every})`, function () {
  this.timeout(1_200_000);
  let service: Service;
  let torture: Torture;
  let base: TortureState;
  const wrong: string[] = [];
  /** Failures that were told as they should be; without a fault there are none. */
  const refused: string[] = [];
  const codes = new Map<string, number>();
  let failed = 0;

  before(async () => {
    service = await openService(playPlans, { "runs.queue_seconds": 1 });
    torture = await startTortured(service);
    for (const [name, scenario] of Object.entries(coreScenarios))
      for (const turn of ["a", "b"]) await play(name, scenario, `warm-${turn}`);
    expect([...wrong, ...refused]).to.deep.equal([]);
    await setTimeout(1000);
    base = await torture.state();
  });
  after(() => service.close());

  /** Sends, and notes what is wrong with an answer. */
  const sender =
    (what: string): Send =>
    async <T>(method: string, route: string, body?: object) => {
      const where = `${what}: ${method} ${route.slice(0, 60)}`;
      try {
        const late = AbortSignal.timeout(patience);
        const answer = await Promise.race([
          service.request(method, route, body).then(async (reply) => ({
            status: reply.status,
            text: await reply.text(),
          })),
          new Promise<never>((_, reject) =>
            late.addEventListener("abort", () => reject(new Error("no answer in ten seconds"))),
          ),
        ]);
        const fault = faultIn(answer.status, answer.text);
        if (fault !== undefined) wrong.push(`${where}: ${fault}`);
        if (answer.status >= 400 || /^(data|event|id|retry)?:/.test(answer.text)) return undefined;
        const told = JSON.parse(answer.text) as T & { readonly success?: boolean };
        if (told.success === false) refused.push(`${where}: ${answer.text}`);
        return told;
      } catch (error) {
        if (isCutOff(route, error)) return undefined;
        wrong.push(`${where}: ${String(error)}`);
        return undefined;
      }
    };

  /** A page of a download that fails breaks the connection off: its status has been sent before. */
  const isCutOff = (route: string, error: unknown): boolean =>
    route.endsWith("/export") && String(error).includes("terminated");

  /** What is wrong with an answer: a failure without the shape of one, or a leak. */
  function faultIn(status: number, text: string): string | undefined {
    if (/\bat \S+ \(?\/|node_modules|\/dist\//.test(text))
      return `shows a stack or a path: ${text.slice(0, 300)}`;
    if (status < 400) return undefined;
    refused.push(text);
    const { error } = JSON.parse(text) as Failure;
    if (typeof error?.code !== "string" || typeof error.message !== "string")
      return `no error object: ${text}`;
    codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
    return undefined;
  }

  const play = (what: string, scenario: Scenario, id: string): Promise<unknown> =>
    scenario(sender(what), service, `${id}-${what.replaceAll(/\W+/g, "-")}`);

  /** What the scenario before has left to do is done: its calls would be counted for the next. */
  async function rest(): Promise<void> {
    await torture.arm(0);
    let before = -1;
    await eventually(async () => {
      await setTimeout(100);
      const { count } = await torture.state();
      const isQuiet = count === before;
      before = count;
      return isQuiet;
    });
    await torture.disarm();
  }

  /** The calls of a scenario. */
  async function countCalls(name: string, scenario: Scenario, turn: string): Promise<number> {
    await torture.arm(0);
    await play(name, scenario, `counted-${turn}`);
    const { count } = await torture.state();
    await torture.disarm();
    return count;
  }

  /** Plays a scenario while one call fails; undefined when there was no such call. */
  async function playFailing(name: string, scenario: Scenario, at: number): Promise<string | undefined> {
    await torture.arm(at);
    await play(`${name}, call ${at}`, scenario, `t${at}`);
    const { fired } = await torture.state();
    await torture.disarm();
    return fired === "" ? undefined : fired;
  }

  for (const [name, scenario] of Object.entries(coreScenarios))
    it(`${name}: answers, goes on, and says what failed (F18)`, async function () {
      // The first turns are the slowest, and ask more often for what they wait for.
      const counts: number[] = [];
      await rest();
      for (const turn of ["a", "b", "c", "d"]) counts.push(await countCalls(name, scenario, turn));
      const count = Math.min(...counts);
      const fired: string[] = [];
      for (let at = 1; at <= count; at += every) {
        const call = await playFailing(name, scenario, at);
        if (call === undefined) continue;
        fired.push(call);
        if (service.program.child.exitCode !== null) throw new Error(`${call}: ${service.program.stderr}`);
      }
      failed += fired.length;
      this.test!.title += `: ${fired.length} of ${count}`;
      addFigure("failed calls", fired.length);
      addFigure("faults", fired.length);
      addFigure("wrong answers", wrong.length);
      expect(fired.length).to.be.at.least(Math.floor(count / every / 2));
      expect(wrong.splice(0)).to.deep.equal([]);
      refused.splice(0);
      await play(`${name} afterwards`, scenario, "afterwards");
      expect([...wrong.splice(0), ...refused.splice(0)]).to.deep.equal([]);
    });

  it("leaves nothing open, and the service healthy", async () => {
    const health = await service.json<{ status: string }>("GET", "/health");
    expect(health.body.status).to.equal("ok");
    const left = await eventually(async () => {
      const now = await torture.state();
      return now.descriptors <= base.descriptors + 8 ? now : undefined;
    }).catch(() => torture.state());
    addFigure("descriptors left open", Math.max(0, left.descriptors - base.descriptors - 8));
    expect(left.descriptors, JSON.stringify({ left, base })).to.be.at.most(base.descriptors + 8);
    expect(failed).to.be.at.least(1);
    process.stdout.write(
      `      ${failed} calls failed; answers: ${JSON.stringify(Object.fromEntries(codes))}\n`,
    );
  });
});
