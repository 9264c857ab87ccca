import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { watchProcess } from "../faults/support/watch-process.ts";
import { addFigure, sizeFor } from "../support/figures.ts";
import { openLab } from "../support/lab-stage.ts";
import type { Stage } from "../support/host.ts";
import { expectLimit, tightSettings, wipingScript } from "../support/too-many-runs.ts";
import { Cluster } from "./support/cluster.ts";
import { send } from "./support/send.ts";

/** Runs that are asked for at once, of which each host has 16 at work. */
const count = sizeFor("WAITING", 100);
/** Milliseconds within which 95 of 100 requests of others are answered meanwhile. */
const responsive = 1000;

interface Page {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

describe("several hosts with more runs than they have places", function () {
  this.timeout(300_000);
  const cluster = new Cluster();
  before(needsPostgres);
  before(() => cluster.open(2));
  after(() => cluster.close());

  /** One turn of a conversation; sent again as long as a host says that it cannot take it, and when. */
  async function turn(id: string): Promise<number> {
    for (let refused = 0; ; refused += 1) {
      const messages = [{ role: "user", content: `mark ${id} 0` }];
      const body = { model: "default", conversation_id: id, messages };
      const answer = await send(`${cluster.url}/v1/chat/completions`, body, {}, 240_000);
      if (answer?.status === 200) return refused;
      expect([answer?.status, (answer?.retryAfter ?? 0) > 0], JSON.stringify(answer)).to.deep.equal([
        503,
        true,
      ]);
      await setTimeout((answer?.retryAfter ?? 1) * 1000);
    }
  }

  /** As many as wait, to both hosts; how often one was refused. */
  async function allTurns(ids: readonly string[]): Promise<number> {
    const refused = await Promise.all(ids.map((id) => turn(id)));
    return refused.reduce((sum, times) => sum + times, 0);
  }

  it(`${count} at once: all stored once, and others are answered meanwhile`, async () => {
    const ids = Array.from({ length: count }, (_, number) => `waiting${number}`);
    const begun = performance.now();
    let work: Promise<number> | undefined;
    const figures = await Promise.all(
      cluster.services.map(({ program, url }) =>
        watchProcess(
          { pid: program.child.pid!, url, routes: ["/health", "/api/runs?limit=5"] },
          () => (work ??= allTurns(ids)),
        ),
      ),
    );
    addFigure("waiting runs", count);
    addFigure("waiting runs refused at first", (await work) ?? 0);
    addFigure("seconds for all waiting runs", (performance.now() - begun) / 1000);
    addFigure("ms for others while runs wait, p95", Math.max(...figures.map(({ p95 }) => p95)));
    for (const { p95, most } of figures) {
      expect(p95, "ms of 95 %").to.be.below(responsive);
      expect(most, "MB").to.be.below(400);
    }
    for (const id of ids) {
      const { body } = (await send(`${cluster.url}/v1/conversations/${id}/messages`)) as { body: Page };
      expect(
        body.messages.map(({ role, content }) => `${role} ${content}`),
        id,
      ).to.deep.equal([`user mark ${id} 0`, `assistant ok mark ${id} 0`]);
    }
  });
});

describe("several hosts with more runs than may wait", function () {
  this.timeout(60_000);
  const stages: Stage[] = [];
  before(needsPostgres);
  before(async () => {
    const storage = (await sharedServer()).settings();
    for (const label of ["one", "two"])
      stages.push(
        await openLab(wipingScript, {
          settings: { ...tightSettings, storage, "workspace.shared": true, "cluster.label": label },
        }),
      );
  });
  after(async () => {
    for (const stage of stages) await stage.end();
  });

  it("refuse them together before anything of them is begun; none is lost that was taken", async () => {
    await expectLimit(stages);
  });
});
