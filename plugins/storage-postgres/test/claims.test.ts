import { expect } from "chai";
import pg from "pg";
import { toolContext } from "@pergola/sdk/testing";
import type { Storage } from "@pergola/sdk";
import { Catalog } from "../catalog.ts";
import { CommitQueue } from "../commit-queue.ts";
import { Database } from "../database.ts";
import { migrate } from "../migrate.ts";
import { checkFence, PostgresHosts, type Fence, type StorageHosts } from "../postgres-hosts.ts";
import { readSettings } from "../read-settings.ts";
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
});

/** A host whose session a test ends and begins as it likes. */
class SteppedHost {
  readonly hosts: PostgresHosts;
  readonly #queue: CommitQueue;
  readonly #database: Database;
  readonly #schema: string;
  readonly #instance: string;
  readonly lost: string[] = [];
  #lock: pg.Client | undefined;
  number: number | undefined;

  readonly #url: string;

  constructor(url: string, schema: string, name: number) {
    const { log } = toolContext();
    this.#url = url;
    this.#schema = schema;
    this.#instance = `00000000-0000-4000-8000-00000000000${name}`;
    this.#database = new Database(readSettings({ url, schema, connections: 3 }), this.#instance, log);
    this.hosts = new PostgresHosts({ schema, label: "", log });
    const session = { catchUp: async () => undefined, number: () => this.number };
    this.hosts.serve(
      this.#database,
      Object.defineProperty(session, "number", { get: session.number }) as never,
    );
    this.hosts.watch({ lost: (names) => this.lost.push(...names), abandoned: () => undefined });
    const parts = { database: this.#database, catalog: new Catalog(), schema, instance: this.#instance };
    this.#queue = new CommitQueue(parts, () => undefined);
  }

  async begin(): Promise<void> {
    this.#lock = new pg.Client({ connectionString: this.#url, options: `-c search_path=${this.#schema}` });
    await this.#lock.connect();
    const number = await migrate(this.#lock, { schema: this.#schema, instance: this.#instance });
    await this.hosts.begin(this.#lock, number);
    this.number = number;
  }

  /** The server ends the session of a host that hangs; the host does not know it yet. */
  async hang(): Promise<void> {
    await this.#lock?.end();
    this.#lock = undefined;
  }

  /** A commit that checks the fence; resolves to whether it was made. */
  commit(fence: Fence): Promise<boolean> {
    const work = this.#queue.ask(["x"], (transaction) => checkFence(transaction, fence));
    return work.then(
      () => true,
      () => false,
    );
  }

  async end(): Promise<void> {
    await this.hang();
    await this.#database.end();
  }
}

/** All orders of several sequences of steps, each in its own order. */
function* orders(sequences: readonly (readonly string[])[]): Generator<readonly string[]> {
  if (sequences.every(({ length }) => length === 0)) yield [];
  for (const [at, [first, ...rest]] of sequences.entries()) {
    if (first === undefined) continue;
    for (const later of orders(sequences.with(at, rest))) yield [first, ...later];
  }
}

type Names = "one" | "two";
type Hosts = Readonly<Record<Names, SteppedHost>>;

/** What has to hold after each step: who has a name, and whose commits count. */
class Model {
  readonly #hosts: Hosts;
  readonly #name: string;
  readonly #fences = new Map<Names, Fence>();
  #owner: Names | undefined;
  #isHanging = false;

  constructor(hosts: Hosts, name: string) {
    this.#hosts = hosts;
    this.#name = name;
    hosts.one.lost.length = 0;
  }

  async take(step: string, said: string): Promise<void> {
    const [who, what] = step.split(" ") as [Names, "takes" | "writes" | "hangs" | "returns"];
    await this[what](who, said);
  }

  async takes(who: Names, said: string): Promise<void> {
    const fence = await this.#hosts[who].hosts.take(this.#name);
    const isFree = this.#owner === undefined || (this.#owner === "one" && this.#isHanging && who === "two");
    expect(fence !== undefined, said).to.equal(isFree);
    if (fence === undefined) return;
    const before = [...this.#fences.values()].map(({ number }) => Number(number));
    expect(Number(fence.number), said).to.be.greaterThan(Math.max(0, ...before));
    this.#fences.set(who, fence);
    this.#owner = who;
  }

  async writes(who: Names, said: string): Promise<void> {
    const fence = this.#fences.get(who);
    if (fence !== undefined) expect(await this.#hosts[who].commit(fence), said).to.equal(this.#owner === who);
  }

  async hangs(): Promise<void> {
    this.#isHanging = true;
    await this.#hosts.one.hang();
  }

  async returns(_: Names, said: string): Promise<void> {
    this.#isHanging = false;
    await this.#hosts.one.begin();
    const isLost = this.#fences.has("one") && this.#owner === "two";
    expect(this.#hosts.one.lost, said).to.deep.equal(isLost ? [this.#name] : []);
  }

  async end(): Promise<void> {
    for (const [who, fence] of this.#fences) await this.#hosts[who].hosts.release(fence);
  }
}

describe("the fence of a name, in every order of taking, hanging, taking over and writing late", function () {
  this.timeout(60_000);
  before(needsPostgres);

  it("lets no host write once another has taken the name, and no host take what a living one has", async () => {
    const server = await sharedServer();
    const url = server.url();
    const { schema } = server.settings();
    const hosts = { one: new SteppedHost(url, schema, 1), two: new SteppedHost(url, schema, 2) };
    await hosts.one.begin();
    await hosts.two.begin();
    const all = [
      ...orders([
        ["one takes", "one writes", "one writes"],
        ["two takes", "two writes"],
        ["one hangs", "one returns"],
      ]),
    ];
    for (const [at, order] of all.entries()) {
      const model = new Model(hosts, `n${at}`);
      for (const step of order) await model.take(step, `${order.join(", ")}: ${step}`);
      await model.end();
    }
    expect(all.length).to.equal(210);
    await hosts.one.end();
    await hosts.two.end();
  });
});
