import { expect } from "chai";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { shared } from "../support/plugins/storage-stepped/shared-store.ts";
import { stops, type Stop } from "../support/plugins/storage-stepped/stepped-host.ts";
import { sharePostgres } from "./support/postgres-ways.ts";
import type { Schedule } from "./support/schedule.ts";
import { WholeRuns } from "./support/whole-run.ts";

type Rest = Omit<Schedule, "first" | "then">;
type Then = Pick<NonNullable<Schedule["then"]>, "stop" | "what">;

/** Each pair of stops in a run with two calls, instead of a few in a run with one; it takes 40 minutes. */
const isWhole = process.env["SCHEDULES"] === "all";

const effects: Rest = { changesOnly: true, learnsFirst: false, stream: false, calls: ["keep", "wipe"] };
const records: Rest = { ...effects, learnsFirst: true, stream: true, calls: ["record", "memory"] };

/** The pairs of stops, and whether the second host comes back from its own or falls. */
const pairs: readonly (readonly [Stop, Then])[] = isWhole
  ? stops.flatMap((first) =>
      stops.flatMap((stop) =>
        (["returns", "falls"] as const).map((what) => [first, { stop, what }] as const),
      ),
    )
  : [
      ["before", { stop: "before", what: "falls" }],
      ["doubt", { stop: "before", what: "returns" }],
    ];

describe("whole runs of two hosts that are stopped at every step", function () {
  this.timeout(isWhole ? 7_200_000 : 240_000);
  const runs = new WholeRuns();
  const faults: string[] = [];

  before(() => runs.open());
  beforeEach(() => void faults.splice(0));
  after(() => runs.close());

  async function play(schedule: Schedule) {
    const played = await runs.play(schedule);
    for (const fault of played.faults) faults.push(`${JSON.stringify(schedule)}: ${fault}`);
    return played.reached;
  }

  /** Until the first host has no such step. Resolves to how many it has. */
  async function stopFirst(stop: Stop, rest: Rest): Promise<number> {
    let at = 0;
    while ((await play({ ...rest, first: { at, stop } })).first) at += 1;
    return at;
  }

  /** The same, and the second host in each of its steps. Resolves to how many schedules there are. */
  async function stopBoth(stop: Stop, then: Then, rest: Rest): Promise<number> {
    let count = 0;
    for (let first = { at: 0, stop }; ; first = { at: first.at + 1, stop }) {
      let reached = { first: true, then: true };
      for (let at = 0; reached.then; at += 1, count += 1)
        reached = await play({ ...rest, first, then: { at, ...then } });
      if (!reached.first) return count;
    }
  }

  for (const stop of stops) {
    it(`write nothing late, do nothing twice and lose nothing where a change is stopped: ${stop}`, async () => {
      expect(await stopFirst(stop, effects)).to.be.greaterThan(12);
      expect(await stopFirst(stop, { ...effects, learnsFirst: true, stream: true })).to.be.greaterThan(12);
      expect(faults.join("\n")).to.equal("");
    });

    it(`keep records of tools and memories by the same rules: ${stop}`, async () => {
      expect(await stopFirst(stop, records)).to.be.greaterThan(12);
      expect(faults.join("\n")).to.equal("");
    });
  }

  it("nor where a read is stopped", async () => {
    expect(await stopFirst("before", { ...effects, changesOnly: false })).to.be.greaterThan(25);
    expect(faults.join("\n")).to.equal("");
  });

  for (const [at, [stop, then]] of pairs.entries())
    it(`nor where the first is stopped (${stop}), the second too (${then.stop}), and ${then.what}`, async () => {
      const learns = at % 2 === 1;
      const calls = isWhole ? effects.calls : (["wipe"] as const);
      const rest = { ...effects, calls, learnsFirst: learns, stream: learns };
      expect(await stopBoth(stop, then, rest)).to.be.greaterThan(50);
      expect(faults.join("\n")).to.equal("");
    });
});

describe("whole runs of two hosts on PostgreSQL that are stopped", function () {
  this.timeout(120_000);
  const runs = new WholeRuns();
  let end: (() => Promise<void>) | undefined;

  before(needsPostgres);
  before(async () => {
    const server = await sharedServer();
    await runs.open(async () => (end = await sharePostgres(server)));
  });
  after(async () => {
    await runs.close();
    await end?.();
    shared.reset();
  });

  const then = { at: 4, stop: "before" } as const;
  const schedules: Readonly<Record<string, Schedule>> = {
    "before its message is stored": { ...effects, first: { at: 3, stop: "before" } },
    "when a call was begun, and nobody knows": { ...effects, first: { at: 4, stop: "doubt" } },
    "before an answer is stored, and has learnt of its loss": {
      ...effects,
      learnsFirst: true,
      stream: true,
      first: { at: 6, stop: "before" },
    },
    "in a tool's own record": { ...records, first: { at: 4, stop: "before" } },
    "both, and the first is back before the second": {
      ...effects,
      first: { at: 5, stop: "after" },
      then: { ...then, what: "returns" },
    },
    "both, one after the other": {
      ...effects,
      first: { at: 5, stop: "before" },
      then: { ...then, what: "falls" },
    },
  };

  for (const [name, schedule] of Object.entries(schedules))
    it(name, async () => {
      const { faults, reached } = await runs.play(schedule);
      expect(faults.join("\n")).to.equal("");
      expect(reached).to.deep.equal({ first: true, then: "then" in schedule });
    });
});
