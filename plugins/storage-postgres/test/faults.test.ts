import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import { CuttingProxy, type Cut } from "./support/cutting-proxy.ts";
import { openHost, refusal, thingsOf } from "./support/open.ts";
import { needsPostgres, PostgresServer, sharedServer } from "./support/postgres-server.ts";

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);

describe("a database that goes away", function () {
  this.timeout(60_000);
  before(needsPostgres);

  for (const cut of ["before", "after"] as const satisfies readonly Cut[])
    it(`finds out what became of a commit whose connection was cut ${cut} it arrived`, async () => {
      const server = await sharedServer();
      const proxy = await CuttingProxy.start(server.folder);
      const settings = { ...server.settings(), url: proxy.url() };
      const storage = await openHost(settings);
      const things = thingsOf(storage);
      await things.put({ id: "count", body: 0 });
      const told: string[] = [];
      storage.watch("things", ({ id }) => told.push(id));
      proxy.next = cut;
      await Promise.all([
        things.put({ id: "new", body: 1 }, { ifVersion: 0 }),
        things.put({ id: "count", body: 1 }, { ifVersion: 1 }),
      ]);
      expect(proxy.cuts).to.equal(1);
      expect(await things.get("new")).to.deep.equal({ id: "new", body: 1, version: 1 });
      expect(await things.get("count")).to.deep.equal({ id: "count", body: 1, version: 2 });
      expect(told).to.deep.equal(["new", "count"]);
      await storage.close();
      await proxy.stop();
    });

  it("loses nothing and does nothing twice while its connections are ended again and again", async () => {
    const server = await sharedServer();
    const settings = server.settings();
    const storage = await openHost(settings);
    const things = thingsOf(storage);
    for (const round of numbers(20)) {
      const writing = numbers(10).map((number) => things.put({ id: `t${number}`, body: round }));
      await server.endConnections();
      await Promise.all(writing);
      expect((await things.find({})).length).to.equal(10);
    }
    expect((await things.find({})).map(({ version }) => version)).to.deep.equal(new Array(10).fill(20));
  });

  it("keeps what was acknowledged, works again after a crash, and answers 503 while it is away", async () => {
    const server = await PostgresServer.start();
    const settings = { ...server.settings(), wait_seconds: 5 };
    const things = thingsOf(await openHost(settings));
    const acknowledged: string[] = [];
    const writing = numbers(60).map(async (number) => {
      await new Promise((resolve) => setTimeout(resolve, number * 5));
      await things.put({ id: `t${number}` }, { ifVersion: 0 });
      acknowledged.push(`t${number}`);
    });
    await things.put({ id: "first" });
    await server.end("SIGQUIT");
    await server.begin();
    await Promise.all(writing);
    expect((await things.find({})).map(({ id }) => id)).to.have.members([...acknowledged, "first"]);

    const impatient = thingsOf(await openHost({ ...settings, wait_seconds: 0 }));
    await impatient.get("first");
    await server.end();
    const [write, read] = await Promise.all([
      refusal(impatient.put({ id: "x" })),
      refusal(impatient.get("x")),
    ]);
    for (const error of [write, read]) {
      expect(AppError.is(error) && [error.code, error.status]).to.deep.equal(["storage_unavailable", 503]);
      expect(error["retryAfter"]).to.equal(5);
      expect(error.message).to.equal("The database does not answer.");
    }
    await server.begin();
    await impatient.put({ id: "x" });
    expect((await impatient.get("x"))?.version).to.equal(1);
    await server.stop();
  });

  it("says that a statement took too long, and lets others in", async () => {
    const server = await sharedServer();
    const settings = { ...server.settings(), statement_seconds: 1 };
    const things = thingsOf(await openHost(settings));
    await things.put({ id: "held" });
    const holding = server.query(
      `BEGIN; SELECT * FROM ${settings.schema}.records_1 FOR UPDATE; SELECT pg_sleep(2.5); COMMIT`,
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    const [slow] = await Promise.all([refusal(things.put({ id: "held" })), things.put({ id: "free" })]);
    expect(slow.message).to.equal("The database took too long; nothing was changed.");
    await holding;
    await things.put({ id: "held" });
    expect((await things.find({})).map(({ id, version }) => [id, version])).to.deep.equal([
      ["free", 1],
      ["held", 2],
    ]);
  });
});
