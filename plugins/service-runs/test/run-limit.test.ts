import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import type { Fence, Parts } from "@pergola/sdk/host";
import type { OtherHosts } from "../other-hosts.ts";
import { RunLimit } from "../run-limit.ts";

/** The names that hosts have, as one storage keeps them for all. */
class Names {
  readonly taken = new Map<string, string>();
  asked = 0;
  #next = 0;

  host(): OtherHosts & { lose(): void } {
    let tellLost: (names: readonly string[]) => void = () => undefined;
    const own: string[] = [];
    const host = {
      areThere: true,
      takeOne: async (prefix: string, most: number): Promise<Fence | undefined> => {
        this.asked += 1;
        await setTimeout(1);
        const names = Array.from({ length: most }, (_, at) => `${prefix}${at}`);
        const name = names.find((one) => !this.taken.has(one));
        if (name === undefined) return undefined;
        const number = String(this.#next++);
        this.taken.set(name, number);
        own.push(name);
        return { name, number };
      },
      release: async ({ name }: Fence): Promise<void> => void this.taken.delete(name),
      watchLost: (_: string, lost: (names: readonly string[]) => void): void => void (tellLost = lost),
      lose: (): void => tellLost(own),
    };
    return host as unknown as OtherHosts & { lose(): void };
  }
}

const alone = { areThere: false } as OtherHosts;

function limitOf(others: OtherHosts, parallel: number, waiting: number): RunLimit {
  const values: Record<string, number> = { "runs.max_parallel": parallel, "runs.max_waiting": waiting };
  const preferences = { get: (key: string) => values[key] };
  return new RunLimit({ preferences } as unknown as Parts, others);
}

/** Asks for so many runs at once; the functions that end those that are taken. */
async function enter(limit: RunLimit, count: number): Promise<readonly (() => void)[]> {
  const all = await Promise.allSettled(Array.from({ length: count }, () => limit.enter()));
  for (const one of all)
    if (one.status === "rejected")
      expect(AppError.is(one.reason) && [one.reason.status, one.reason.code]).to.deep.equal([
        503,
        "too_many_runs",
      ]);
  return all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

describe("the limit of runs", function () {
  this.timeout(30_000);

  it("takes those at work and those that may wait, and another one when one has ended", async () => {
    const limit = limitOf(alone, 2, 3);
    const [first, ...others] = await enter(limit, 9);
    expect(others).to.have.lengthOf(4);
    first!();
    first!();
    expect(await enter(limit, 3)).to.have.lengthOf(1);
  });

  it("counts runs that go on after a start, and refuses none of them", async () => {
    const limit = limitOf(alone, 1, 1);
    const leave = [limit.enterAnyway(), limit.enterAnyway(), limit.enterAnyway()];
    expect(await enter(limit, 1)).to.have.lengthOf(0);
    for (const one of leave) one();
    expect(await enter(limit, 3)).to.have.lengthOf(2);
  });

  for (const [parallel, waiting] of [
    [1, 0],
    [3, 4],
    [16, 1000],
  ] as const)
    it(`holds over three hosts: ${parallel} and ${waiting}`, async () => {
      const names = new Names();
      const limits = [1, 2, 3].map(() => limitOf(names.host(), parallel, waiting));
      const most = parallel + waiting;
      const taken = await Promise.all(limits.map((limit) => enter(limit, most)));
      expect(taken.flat()).to.have.lengthOf(most);
    });

  it("asks the storage for nothing while few runs come one after the other", async () => {
    const names = new Names();
    const limit = limitOf(names.host(), 16, 1000);
    for (let count = 0; count < 20; count += 1) for (const leave of await enter(limit, 5)) leave();
    expect(names.asked).to.equal(1);
  });

  it("is another host's when this one has not needed it for a while", async () => {
    const names = new Names();
    const [one, two] = [limitOf(names.host(), 1, 3), limitOf(names.host(), 1, 3)];
    const leave = await enter(one, 4);
    expect(await enter(two, 4)).to.have.lengthOf(0);
    for (const end of leave.slice(1)) end();
    while (names.taken.size > 1) await setTimeout(10);
    expect(await enter(two, 4)).to.have.lengthOf(3);
  });

  it("is not this host's any more when another one has taken it away", async () => {
    const names = new Names();
    const host = names.host();
    const limit = limitOf(host, 1, 3);
    for (const leave of await enter(limit, 4)) leave();
    host.lose();
    expect(await enter(limit, 4)).to.have.lengthOf(0);
  });
});
