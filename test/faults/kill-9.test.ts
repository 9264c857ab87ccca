import { expect } from "chai";
import { addFigure } from "../support/figures.ts";
import { checkAfterKill, checkEffects } from "./support/check-storm.ts";
import { phases, type Phase } from "./support/phases.ts";
import { randomFrom } from "./support/random.ts";
import { Storm, type ResumePolicy } from "./support/storm.ts";

/** `SEED` and `KILLS` in the environment choose other ones. */
const seed = Number(process.env["SEED"] ?? 1);
const kills = Number(process.env["KILLS"] ?? 30);
const killsEach = 10;
const policies = ["ask", "auto", "never"] as const;
const policyOf = (number: number): ResumePolicy => policies[number % policies.length] ?? "ask";

describe(`${kills} kills with SIGKILL at any time (seed ${seed})`, function () {
  this.timeout(120_000);
  const hits = new Map<Phase, number>();
  const found = { calls: 0, doubtful: 0 };
  let done = 0;

  /** The phase that was hit least, while that is too seldom; else a kill comes at any time. */
  const missed = (): Phase | undefined => {
    const times = (phase: Phase): number => hits.get(phase) ?? 0;
    const [least] = phases.toSorted((one, other) => times(one) - times(other));
    return least !== undefined && times(least) < done / 5 ? least : undefined;
  };

  for (let number = 1; number <= kills / killsEach; number++)
    it(`keep what was acknowledged and do nothing twice: ${killsEach} on one data directory (${number}), runs.resume ${policyOf(number)}`, async () => {
      const storm = await Storm.open(randomFrom(seed * 1000 + number), policyOf(number));
      try {
        await storm.start();
        for (let kill = 0; kill < killsEach; kill++) {
          const from = storm.deeds.length;
          for (const phase of await storm.workAndKill(missed())) hits.set(phase, (hits.get(phase) ?? 0) + 1);
          done += 1;
          await storm.start();
          await checkAfterKill(storm, storm.deeds.slice(from), storm.titles.slice(-1), storm.chats.slice(-1));
        }
        await storm.settle();
        await checkAfterKill(storm, storm.deeds, storm.titles, storm.chats);
        const { calls, doubtful } = await checkEffects(storm);
        addFigure("kills in tool loops", killsEach);
        addFigure("faults", killsEach);
        addFigure("doubtful calls reported", doubtful);
        found.calls += calls;
        found.doubtful += doubtful;
      } finally {
        await storm.service.close();
      }
    });

  it("hit work in every phase", function () {
    const counted = Object.fromEntries(phases.map((phase) => [phase, hits.get(phase) ?? 0]));
    this.test!.title += `: ${JSON.stringify({ ...counted, ...found })}`;
    for (const phase of phases) expect(counted[phase], phase).to.be.at.least(kills / 10);
    expect(found.calls).to.be.at.least(kills);
    expect(found.doubtful).to.be.at.least(kills / 10);
  });
});
