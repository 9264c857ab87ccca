import { expect } from "chai";
import { CuttingProxy } from "../../plugins/storage-postgres/test/support/cutting-proxy.ts";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import type { Stage } from "../support/host.ts";
import {
  answer,
  calling,
  eventually,
  labCall,
  openLab,
  outcomesOf,
  pendingIn,
  play,
  runWith,
  saying,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { runEventsOf } from "../support/run-events.ts";

/** What the tables say holds though no notification of the database arrives at a host. */
describe("hosts that get no notices", function () {
  this.timeout(60_000);
  const stages: Stage[] = [];
  const proxies: CuttingProxy[] = [];
  let one: Stage;
  let two: Stage;

  before(needsPostgres);
  before(async () => {
    const server = await sharedServer();
    const storage = server.settings();
    for (const label of ["one", "two"]) {
      const proxy = await CuttingProxy.start(server.folder);
      proxy.lostNotices = 0;
      proxies.push(proxy);
      const settings = { storage: { ...storage, url: proxy.url() }, "workspace.shared": true };
      stages.push(await openLab([], { settings: { ...settings, "cluster.label": label } }));
    }
    [one, two] = stages as [Stage, Stage];
  });
  beforeEach(() => lab.reset());
  after(async () => {
    for (const stage of stages) await stage.end();
    for (const proxy of proxies) {
      expect(proxy.lostNotices).to.be.greaterThan(0);
      await proxy.stop();
    }
  });

  it("hear of an answer that another one has taken", async () => {
    const asked = play(one, [calling(labCall("wipe", "all")), saying("done")], { conversationId: "asked" });
    const { toolCallId } = await pendingIn(two.host, "asked");
    expect((await answer(two.host, toolCallId, { approved: true })).status).to.equal(200);
    expect((await asked).content).to.equal("done");
    expect((await outcomesOf(two.host, "asked")).map(({ success }) => success)).to.deep.equal([true]);
  });

  it("cancel what another one was asked to cancel", async () => {
    const asked = play(one, [calling(labCall("peek", "held", { gate: true }))], { conversationId: "cut" });
    await lab.until("start held");
    const { id } = await runWith(two.host, "cut", "running");
    const { status } = await two.host.request("POST", `/api/runs/${id}/cancel`);
    expect(status).to.equal(202);
    await asked;
    expect((await runWith(two.host, "cut", "ended")).id).to.equal(id);
  });

  it("change a title and delete a conversation that another one works in", async () => {
    const asked = play(one, [calling(labCall("peek", "kept", { gate: true }))], { conversationId: "named" });
    await lab.until("start kept");
    const renamed = await two.host.request("PATCH", "/v1/conversations/named", { title: "Roses" });
    expect([renamed.status, await renamed.text()].join()).to.include("Roses");
    expect((await two.host.request("DELETE", "/v1/conversations/named")).status).to.be.within(200, 204);
    await asked;
    expect((await one.host.request("GET", "/v1/conversations/named")).status).to.equal(404);
  });

  it("follow the events of what another one works on, to the end", async () => {
    const asked = play(one, [calling(labCall("wipe", "more")), saying("done")], {
      conversationId: "followed",
    });
    const { toolCallId, runId } = await pendingIn(two.host, "followed");
    const followed = two.host.request("GET", `/api/runs/${runId}/events`).then((response) => response.text());
    await answer(two.host, toolCallId, { approved: true });
    await asked;
    expect(runEventsOf(await followed).at(-1)?.event).to.equal("end");
  });

  it("have preferences in force that another one has changed", async () => {
    await one.host.json("PATCH", "/api/preferences", { "workflow.max_iterations": 7 });
    await eventually(async () => {
      const { body } = await two.host.json<Record<string, unknown>>("GET", "/api/preferences");
      return JSON.stringify(body).includes('"workflow.max_iterations":7') ? true : undefined;
    });
  });
});
