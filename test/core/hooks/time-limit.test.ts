import { expect } from "chai";
import { TimeLimit } from "../../../core/hooks/time-limit.ts";

describe("a limit for many waits", () => {
  const never = new Promise(() => undefined);
  const endOf = async (wait: Promise<unknown>, began: number): Promise<number> => {
    const message = await wait.catch((error: unknown) => (error as Error).message);
    expect(message).to.equal("took longer than 0.1 s");
    return performance.now() - began;
  };

  it("ends each by its own beginning, with one timer", async () => {
    const limit = new TimeLimit(100);
    const begun = performance.now();
    const first = endOf(limit.within(never, begun), begun);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const later = performance.now();
    const second = endOf(limit.within(never, later), later);
    expect(Math.min(await first, await second)).to.be.at.least(99);
  });

  it("settles as the work does, and ends the next one after a pause", async () => {
    const limit = new TimeLimit(100);
    expect(await limit.within(Promise.resolve("done"), performance.now())).to.equal("done");
    const failed = limit.within(Promise.reject(new Error("no")), performance.now());
    expect(await failed.catch((error: unknown) => error)).to.have.property("message", "no");
    await new Promise((resolve) => setTimeout(resolve, 130));
    const begun = performance.now();
    expect(await endOf(limit.within(never, begun), begun)).to.be.at.least(99);
  });
});
