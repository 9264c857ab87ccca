import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { openHost as openPostgres } from "../../plugins/storage-postgres/test/support/open.ts";
import {
  needsPostgres,
  sharedServer,
  type PostgresServer,
} from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { openStage, type Stage } from "../support/host.ts";
import { eventually } from "../support/lab-stage.ts";

interface WireSchedule {
  readonly id: string;
  readonly lastFiredAt: string | null;
  readonly lastRunId: string | null;
  readonly missed: number;
}

interface Taken {
  readonly id: string;
  readonly startingAt: string | null;
  readonly starter?: string | undefined;
}

const hour = 3_600_000;
const noon = Date.parse("2027-03-01T12:00:00Z");

describe("a schedule of several hosts", function () {
  this.timeout(60_000);
  const stages: Stage[] = [];
  let server: PostgresServer;
  let storage: ReturnType<PostgresServer["settings"]>;
  let now = noon - 60_000;

  const open = async (label: string): Promise<void> =>
    void stages.push(
      await openStage(chatReply({ text: "Done." }), {
        clock: { now: () => now },
        settings: { storage, "workspace.shared": true, "cluster.label": label },
      }),
    );

  before(needsPostgres);
  before(async () => {
    server = await sharedServer();
    storage = server.settings({ host_timeout_seconds: 3 });
    for (const label of ["one", "two", "three"]) await open(label);
  });
  after(async () => {
    for (const stage of stages) await stage.end();
  });

  /** All hosts look at the clock: each hears of a schedule that has changed. */
  async function pass(to: number): Promise<void> {
    now = to;
    const body = { prompt: "x", maxCostUsd: 1, cron: "0 0 1 1 *" };
    for (const { host } of stages) {
      const { body: made } = await host.json<WireSchedule>("POST", "/api/schedules", body);
      await host.json("DELETE", `/api/schedules/${made.id}`);
    }
  }

  const asked = (): number => stages.reduce((sum, { provider }) => sum + provider.requests.length, 0);
  const firedAt = (id: string, time: number): Promise<WireSchedule> =>
    eventually(async () => {
      const { body } = await stages.at(-1)!.host.json<WireSchedule>("GET", `/api/schedules/${id}`);
      const isFired = body.lastFiredAt === new Date(time).toISOString() && body.lastRunId !== null;
      return isFired ? body : undefined;
    });
  const runs = async (id: string): Promise<number> => {
    const { body } = await stages
      .at(-1)!
      .host.json<{ runs: { id: string; status: string }[] }>("GET", "/api/runs?limit=100");
    expect(body.runs.map((run) => run.id)).to.include(id);
    return body.runs.filter(({ status }) => status === "ended").length;
  };

  it("starts once each time, on whichever of them is there", async () => {
    const made = await stages[0]!.host.json<WireSchedule>("POST", "/api/schedules", {
      prompt: "Report",
      maxCostUsd: 1,
      cron: "0 * * * *",
    });
    expect(made.status).to.equal(201);
    for (const time of [0, 1, 2]) {
      await pass(noon + time * hour);
      const { lastRunId, missed } = await firedAt(made.body.id, now);
      expect(missed).to.equal(0);
      await eventually(async () => ((await runs(lastRunId!)) === time + 1 ? true : undefined));
    }
    expect(asked()).to.equal(3);
    const before = asked();
    for (const stage of stages.splice(0, 2)) await stage.end();
    const left = asked();
    await pass(noon + 3 * hour);
    const { lastRunId } = await firedAt(made.body.id, now);
    await eventually(async () => ((await runs(lastRunId!)) === 4 ? true : undefined));
    expect([before, asked() - left]).to.deep.equal([3, 1]);
  });

  it("that one of them has taken is not started by another: it is missed where that one is gone", async () => {
    const { host } = stages.at(-1)!;
    const before = asked();
    const asking = { prompt: "Report", maxCostUsd: 1, cron: "0 0 1 1 *" };
    const { body } = await host.json<WireSchedule>("POST", "/api/schedules", asking);
    const others = await openPostgres({ ...storage });
    const schedules = others.collection<Taken>("schedules", { indexes: [] });
    const take = async (starter: string | undefined): Promise<void> => {
      const { version: _, ...stored } = (await schedules.get(body.id))!;
      await schedules.put({ ...stored, startingAt: new Date(now).toISOString(), starter });
    };
    const missed = async () =>
      (await host.json<WireSchedule>("GET", `/api/schedules/${body.id}`)).body.missed;
    const [own] = await server.query<{ readonly name: string }>(
      `SELECT name FROM ${storage.schema}.claims WHERE name LIKE 'schedules/%'`,
    );
    await take(own?.name);
    await open("four");
    expect([await missed(), (await schedules.get(body.id))?.starter]).to.deep.equal([0, own?.name]);
    await take("schedules/gone");
    await open("five");
    expect(await missed()).to.equal(1);
    expect(asked()).to.equal(before);
  });
});
