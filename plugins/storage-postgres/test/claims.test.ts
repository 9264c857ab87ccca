import { expect } from "chai";
import pg from "pg";
import type { Storage } from "@pergola/sdk";
import type { Fence, StorageHosts } from "../postgres-hosts.ts";
import { CuttingProxy } from "./support/cutting-proxy.ts";
import { openHost, refusal, thingsOf } from "./support/open.ts";
import { needsPostgres, sharedServer } from "./support/postgres-server.ts";

const hostsOf = ({ hosts }: Storage): StorageHosts => hosts!;

/** What a host is told about names. */
function told(storage: Storage) {
  const heard = { lost: [] as string[], abandoned: [] as string[] };
  let wake: () => void = () => undefined;
  const note =
    (what: keyof typeof heard) =>
    (names: readonly string[]): void => {
      heard[what].push(...names);
      wake();
    };
  hostsOf(storage).watch({ lost: note("lost"), abandoned: note("abandoned") });
  const until = async (what: keyof typeof heard, name: string): Promise<void> => {
    while (!heard[what].includes(name)) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { heard, until };
}

describe("names that hosts have for themselves", function () {
  this.timeout(60_000);
  before(needsPostgres);

  const openTwo = async () => {
    const server = await sharedServer();
    const settings = server.settings({ host_timeout_seconds: 3 });
    const hosts = [await openHost(settings, "one"), await openHost(settings, "two")] as const;
    return { server, settings, hosts };
  };

  it("are one host's at a time, with a higher number each time, and known by its label", async () => {
    const [one, two] = (await openTwo()).hosts.map(hostsOf) as [StorageHosts, StorageHosts];
    const fence = (await one.take("a")) as Fence;
    expect(await two.take("a")).to.equal(undefined);
    expect(await one.take("a")).to.equal(undefined);
    expect([...(await two.holders(["a", "b"]))]).to.deep.equal([["a", "one"]]);
    await one.release(fence);
    expect([...(await two.holders(["a"]))]).to.deep.equal([]);
    const next = (await two.take("a")) as Fence;
    expect(Number(next.number)).to.be.greaterThan(Number(fence.number));
    await one.release(fence);
    expect([...(await one.holders(["a"]))]).to.deep.equal([["a", "two"]]);
  });

  it("go to one of those who ask at once", async () => {
    const { hosts } = await openTwo();
    const asked = Array.from({ length: 20 }, (_, at) => hostsOf(hosts[at % 2]!).take("a"));
    const taken = (await Promise.all(asked)).filter((fence) => fence !== undefined);
    expect(taken.length).to.equal(1);
  });

  it("are told with everything that was changed before", async () => {
    const { hosts } = await openTwo();
    const heard: string[] = [];
    hosts[1].watch("things", ({ id }) => heard.push(id));
    const fence = (await hostsOf(hosts[0]).take("a")) as Fence;
    await thingsOf(hosts[0]).put({ id: "last" });
    await hostsOf(hosts[0]).release(fence);
    await hostsOf(hosts[1]).take("a");
    expect(heard).to.deep.equal(["last"]);
  });

  it("are kept over a lost connection, where nobody has taken them", async () => {
    const { server, hosts } = await openTwo();
    const fence = (await hostsOf(hosts[0]).take("a")) as Fence;
    await server.endConnections();
    const { heard } = told(hosts[0]);
    thingsOf(hosts[0]);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await hostsOf(hosts[1]).take("a")).to.equal(undefined);
    await hosts[0].commit([{ collection: "things", put: { id: "x" } }], { fence });
    expect(heard.lost).to.deep.equal([]);
  });

  it("are given back by a host that could not say so at first", async () => {
    const server = await sharedServer();
    const proxy = await CuttingProxy.start(server.folder);
    try {
      const settings = server.settings({ host_timeout_seconds: 10, wait_seconds: 0, statement_seconds: 1 });
      const cut = await openHost({ ...settings, url: proxy.url() });
      const other = await openHost(settings);
      const fence = (await hostsOf(cut).take("a")) as Fence;
      proxy.freeze(true);
      const [released, taken] = [refusal(hostsOf(cut).release(fence)), refusal(hostsOf(cut).take("b"))];
      await new Promise((resolve) => setTimeout(resolve, 200));
      await proxy.drop();
      proxy.freeze(false);
      await released;
      await taken;
      for (const name of ["a", "b"])
        while ((await hostsOf(other).take(name)) === undefined)
          await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await proxy.stop();
    }
  });

  it("are taken from a host that ends, of which the others are told", async () => {
    const { hosts } = await openTwo();
    const { until } = told(hosts[1]);
    const before = (await hostsOf(hosts[0]).take("a")) as Fence;
    await hosts[0].close();
    await until("abandoned", "a");
    const fence = (await hostsOf(hosts[1]).take("a")) as Fence;
    expect(fence.number).to.not.equal(before.number);
  });

  it("are taken from a host that is cut off, which then writes nothing more and is told", async () => {
    const server = await sharedServer();
    const proxy = await CuttingProxy.start(server.folder);
    try {
      const settings = server.settings({ host_timeout_seconds: 3, wait_seconds: 1, statement_seconds: 1 });
      const cut = await openHost({ ...settings, url: proxy.url() });
      const other = await openHost(settings);
      const mine = told(cut);
      const others = told(other);
      thingsOf(cut);
      const things = thingsOf(other);
      const fence = (await hostsOf(cut).take("a")) as Fence;
      await cut.commit([{ collection: "things", put: { id: "before" } }], { fence });
      proxy.freeze(true);
      const late = refusal(cut.commit([{ collection: "things", put: { id: "late" } }], { fence }));
      await others.until("abandoned", "a");
      const next = (await hostsOf(other).take("a")) as Fence;
      await other.commit([{ collection: "things", put: { id: "after" } }], { fence: next });
      proxy.freeze(false);
      await mine.until("lost", "a");
      await late;
      const later = cut.commit([{ collection: "things", put: { id: "later" } }], { fence });
      expect(await refusal(later)).to.include({ code: "conflict" });
      expect((await things.find({})).map(({ id }) => id)).to.deep.equal(["after", "before"]);
    } finally {
      await proxy.stop();
    }
  });

  it("keep bytes and search indexes too from a host that has lost them", async () => {
    const { server, settings, hosts } = await openTwo();
    const [one, two] = hosts;
    const fence = (await hostsOf(one).take("a")) as Fence;
    const [late, other] = [one, two].map((host) =>
      host.search("texts", { fields: { text: 1 }, dimensions: 0 }),
    );
    const roses = { id: "1", scope: "garden", fields: { text: "roses" } };
    await late!.index([roses], { fence });
    await one.blobs.put("picture", Buffer.from("first"), { fence });
    await server.query(`UPDATE ${settings.schema}.claims SET number = nextval('${settings.schema}.fences')`);
    for (const write of [
      late!.index([{ ...roses, fields: { text: "tulips" } }], { fence }),
      late!.remove(["1"], { fence }),
      late!.removeScope("garden", { fence }),
      one.blobs.put("picture", Buffer.from("late"), { fence }),
      one.blobs.delete("picture", { fence }),
    ])
      expect(await refusal(write)).to.deep.include({ code: "conflict", details: { fence: "a" } });
    const found = await other!.query({ scopes: ["garden"], text: "roses tulips", limit: 5 });
    expect(found.map(({ id }) => id)).to.deep.equal(["1"]);
    expect(await other!.query({ scopes: ["garden"], text: "tulips", limit: 5 })).to.deep.equal([]);
    expect(Buffer.from((await two.blobs.get("picture"))!).toString()).to.equal("first");
  });

  it("are taken from a host that hangs in the midst of a commit, whose locks end with it", async function () {
    this.timeout(30_000);
    const server = await sharedServer();
    const proxy = await CuttingProxy.start(server.folder);
    const lock = new pg.Client({ connectionString: server.url() });
    try {
      const settings = server.settings({ host_timeout_seconds: 3 });
      const hung = await openHost({ ...settings, url: proxy.url() });
      const other = await openHost(settings);
      thingsOf(hung);
      const fence = (await hostsOf(hung).take("a")) as Fence;
      await hung.commit([{ collection: "things", put: { id: "before" } }], { fence });
      await lock.connect();
      await lock.query(`BEGIN; LOCK TABLE ${settings.schema}.changes IN SHARE MODE`);
      const late = refusal(hung.commit([{ collection: "things", put: { id: "late" } }], { fence }));
      const waiting = "SELECT FROM pg_locks WHERE relation = $1::regclass AND NOT granted";
      while ((await server.query(waiting, [`${settings.schema}.changes`])).length === 0);
      proxy.freeze(true);
      await lock.query("ROLLBACK");
      while ((await hostsOf(other).take("a")) === undefined)
        await new Promise((resolve) => setTimeout(resolve, 50));
      proxy.freeze(false);
      expect(await late).to.include({ code: "conflict" });
    } finally {
      await lock.end();
      await proxy.stop();
    }
  });
});
