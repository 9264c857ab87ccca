import { expect } from "chai";
import { TimeLimit, type Wait } from "../../../core/hooks/time-limit.ts";

describe("a limit for many waits", () => {
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));

  /** A wait that has begun now, and how long it lasts until it is overdue. */
  function begin(limit: TimeLimit) {
    const begun = performance.now();
    let wait: Wait | undefined;
    const lasted = new Promise<number>((resolve) => {
      const overdue = ({ message }: Error): void => {
        expect(message).to.equal("took longer than 0.1 s");
        resolve(performance.now() - begun);
      };
      limit.add((wait = { from: begun, overdue }));
    });
    return { wait: wait!, lasted };
  }

  it("ends each by its own beginning, with one timer", async () => {
    const limit = new TimeLimit(100);
    const first = begin(limit);
    await pause(60);
    const second = begin(limit);
    expect(Math.min(await first.lasted, await second.lasted)).to.be.at.least(99);
  });

  it("counts from where a wait goes on to its next step", async () => {
    const limit = new TimeLimit(100);
    const { wait, lasted } = begin(limit);
    await pause(60);
    wait.from = performance.now();
    expect(await lasted).to.be.at.least(159);
  });

  it("leaves alone what is removed, and ends the next one after a pause", async () => {
    const limit = new TimeLimit(100);
    let isOverdue = false;
    const done = { from: performance.now(), overdue: () => void (isOverdue = true) };
    limit.add(done);
    limit.remove(done);
    await pause(130);
    expect(await begin(limit).lasted).to.be.at.least(99);
    expect(isOverdue).to.equal(false);
  });
});
