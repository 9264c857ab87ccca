import { expect } from "chai";
import pg from "pg";
import type { Change, Storage } from "@pergola/sdk";
import { openHost, thingsOf } from "./support/open.ts";
import { needsPostgres, sharedServer } from "./support/postgres-server.ts";

/** The ids of changes that a host hears of, in their order. */
function heard(storage: Storage) {
  const ids: string[] = [];
  let wake: () => void = () => undefined;
  storage.watch("things", ({ id, deleted }: Change) => {
    ids.push(deleted ? `-${id}` : id);
    wake();
  });
  const until = async (id: string): Promise<readonly string[]> => {
    while (!ids.includes(id)) await new Promise<void>((resolve) => (wake = resolve));
    return ids;
  };
  return { ids, until };
}

describe("several hosts on one database", function () {
  this.timeout(30_000);
  before(needsPostgres);

  const openTwo = async () => {
    const server = await sharedServer();
    const settings = server.settings();
    return { server, settings, hosts: [await openHost(settings), await openHost(settings)] as const };
  };

  it("hear of each other's changes, once and in their order, and of their own", async () => {
    const { hosts } = await openTwo();
    const [one, other] = hosts.map((host) => thingsOf(host));
    const [first, second] = hosts.map(heard);
    await one!.put({ id: "a" });
    await one!.delete("a");
    await one!.put({ id: "b" });
    await second!.until("b");
    await other!.put({ id: "c" });
    await first!.until("c");
    expect([first!.ids, second!.ids]).to.deep.equal([
      ["a", "-a", "b", "c"],
      ["a", "-a", "b", "c"],
    ]);
  });

  it("hear of a change without a notice of it, and of one that is committed late", async () => {
    const { server, settings, hosts } = await openTwo();
    const { until } = heard(hosts[0]);
    const insert = (id: string): string =>
      `INSERT INTO ${settings.schema}.changes (host, list) ` +
      `VALUES ('00000000-0000-4000-8000-000000000000', '[["things","${id}",false]]')`;
    const late = new pg.Client({ connectionString: server.url() });
    await late.connect();
    await late.query(`BEGIN; ${insert("late")}`);
    await server.query(insert("early"));
    await until("early");
    await late.query("COMMIT");
    expect(await until("late")).to.deep.equal(["early", "late"]);
    await late.end();
  });

  it("hear of changes that were made while their connections were gone", async () => {
    const { server, hosts } = await openTwo();
    const { until } = heard(hosts[1]);
    await server.endConnections();
    await thingsOf(hosts[0]).put({ id: "meanwhile" });
    expect(await until("meanwhile")).to.deep.equal(["meanwhile"]);
  });

  it("let one of many win that compare and set, and end no commit for another's", async () => {
    const { hosts } = await openTwo();
    const [one, other] = hosts.map((host) => thingsOf(host));
    await one!.put({ id: "a" });
    await one!.put({ id: "b" });
    await other!.get("a");
    const race = [one!, other!].flatMap((things) =>
      Array.from({ length: 10 }, (_, body) => things.put({ id: "a", body }, { ifVersion: 1 })),
    );
    const results = await Promise.allSettled(race);
    expect(results.filter(({ status }) => status === "fulfilled").length).to.equal(1);
    const crossing = hosts.flatMap((host, at) => {
      const ids = at === 0 ? ["a", "b"] : ["b", "a"];
      const writes = ids.map((id) => ({ collection: "things", put: { id } }));
      return Array.from({ length: 10 }, () => host.commit(writes));
    });
    await Promise.all(crossing);
    expect((await one!.find({})).map(({ version }) => version)).to.deep.equal([22, 21]);
  });

  it("keep the indexes that others have declared since, and see what others made", async () => {
    const { hosts } = await openTwo();
    const [old, later] = hosts;
    const before = thingsOf(old, ["kind"]);
    await before.put({ id: "a", kind: "k", body: 1 });
    const after = thingsOf(later, ["kind", "body"]);
    expect((await after.find({ body: 1 })).map(({ id }) => id)).to.deep.equal(["a"]);
    await before.put({ id: "b", kind: "k", body: 2 });
    expect((await after.find({ body: { gte: 2 } })).map(({ id }) => id)).to.deep.equal(["b"]);
    expect(await before.count({ kind: "k" })).to.equal(2);
  });

  it("find by vectors what another host has indexed since, in a large scope too", async () => {
    const { hosts } = await openTwo();
    const searches = hosts.map((host) => host.search("s", { fields: {}, dimensions: 8 }));
    const vector = (seed: number): Float32Array => {
      const numbers = Float32Array.from({ length: 8 }, (_, at) => Math.sin(seed * (at + 1)));
      return numbers.map((number) => number / Math.hypot(...numbers));
    };
    const documents = Array.from({ length: 2100 }, (_, seed) => ({
      id: `d${seed}`,
      scope: "s",
      fields: {},
      vector: vector(seed),
    }));
    await searches[0]!.index(documents);
    const nearest = async (seed: number): Promise<string | undefined> =>
      (await searches[1]!.query({ scopes: ["s"], vector: vector(seed), limit: 1 }))[0]?.id;
    expect([await nearest(7), await nearest(2099)]).to.deep.equal(["d7", "d2099"]);
    await searches[0]!.index([{ id: "new", scope: "s", fields: {}, vector: vector(0.5) }]);
    expect(await nearest(0.5)).to.equal("new");
    await searches[0]!.remove(["new"]);
    expect(await nearest(0.5)).to.not.equal("new");
  });
});
