import { expect } from "chai";
import pg from "pg";
import { toolContext } from "@pergola/sdk/testing";
import { Catalog } from "../catalog.ts";
import { CommitQueue } from "../commit-queue.ts";
import { Database } from "../database.ts";
import { migrate } from "../migrate.ts";
import { checkFence, PostgresHosts, type Fence } from "../postgres-hosts.ts";
import { readSettings } from "../read-settings.ts";
import { needsPostgres, sharedServer } from "./support/postgres-server.ts";

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
