import { expect } from "chai";
import { checkAfterKill, checkEffects } from "./support/check-storm.ts";
import { phases, type Phase } from "./support/phases.ts";
import { randomFrom } from "./support/random.ts";
import { Storm } from "./support/storm.ts";

/** `SEED` and `KILLS` in the environment choose other ones. */
const seed = Number(process.env["SEED"] ?? 1);
const kills = Number(process.env["KILLS"] ?? 100);
const killsEach = 10;

describe(`${kills} kills with SIGKILL at any time (seed ${seed})`, function () {
  this.timeout(120_000);
  const hits = new Map<Phase, number>();
  const found = { calls: 0, doubtful: 0 };

  for (let number = 1; number <= kills / killsEach; number++)
    it(`keep what was acknowledged and do nothing twice: ${killsEach} on one data directory (${number})`, async () => {
      const storm = await Storm.open(randomFrom(seed * 1000 + number));
      try {
        await storm.start();
        for (let kill = 0; kill < killsEach; kill++) {
          const from = storm.deeds.length;
          for (const phase of await storm.workAndKill()) hits.set(phase, (hits.get(phase) ?? 0) + 1);
          await storm.start();
          await checkAfterKill(storm, storm.deeds.slice(from), storm.titles.slice(-1), storm.chats.slice(-1));
        }
        await storm.settle();
        await checkAfterKill(storm, storm.deeds, storm.titles, storm.chats);
        const { calls, doubtful } = await checkEffects(storm);
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
    expect(found.calls).to.be.at.least(kills * 2);
    expect(found.doubtful).to.be.at.least(kills / 10);
  });
});
