import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { root } from "../architecture/tree.ts";

/**
 * Makes 32 MB of old garbage while it works without a pause, and then rests; counts forced collections, and
 * megabytes that were collected at last.
 */
const work = `
  import { constants, PerformanceObserver } from "node:perf_hooks";
  import { collectEarly } from "./core/early-collection.ts";
  let forced = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries())
      if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) forced += 1;
  }).observe({ entryTypes: ["gc"] });
  collectEarly(() => true);
  const rest = (time) => new Promise((resolve) => setTimeout(resolve, time));
  let held = [];
  const end = Date.now() + 1500;
  while (Date.now() < end) {
    const until = Date.now() + 30;
    while (Date.now() < until) if (held.length < 32) held.push(new Array(131072).fill(held.length));
    await rest(1);
  }
  const busy = forced;
  held = [];
  const used = process.memoryUsage().heapUsed;
  await rest(1500);
  const paused = forced - busy;
  await rest(4000);
  const collected = (used - process.memoryUsage().heapUsed) / 2 ** 20;
  console.log(JSON.stringify({ busy, paused, collected }));
`;

interface Steps {
  readonly size: number;
  readonly pause: number;
}

/**
 * Works until V8 has set memory aside for new objects, rests until it is given back, and works again: first
 * as fast as it can, then in steps of so many objects with so many milliseconds between them.
 */
const worksIn = (steps: Steps): string => `
  import { getHeapSpaceStatistics } from "node:v8";
  import { collectEarly } from "./core/early-collection.ts";
  const newSpace = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space").space_size;
  const megabytes = (count) => count * 2 ** 20;
  const rest = (time) => new Promise((resolve) => setTimeout(resolve, time));
  let held = [];
  const work = async ({ size, pause }) => {
    while (newSpace() < megabytes(8)) {
      held = [...held.slice(-20), Array.from({ length: size }, (_, at) => ({ at }))];
      await rest(pause);
    }
    held = [];
  };
  collectEarly(() => false);
  for (const steps of [{ size: 20000, pause: 1 }, ${JSON.stringify(steps)}]) {
    await work(steps);
    while (newSpace() > megabytes(4)) await rest(200);
  }
  console.log("given back");
`;

describe("early collection of garbage", function () {
  this.timeout(60_000);

  it("waits while there is work or a short pause of it, and comes when it is done", async () => {
    const words = ["--conditions=source", "--import", "tsx", "--input-type=module", "-e", work];
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: path.resolve(root) });
    const { busy, paused, collected } = JSON.parse(stdout) as Readonly<Record<string, number>>;
    expect({ busy, paused }).to.deep.equal({ busy: 0, paused: 0 });
    expect(collected).to.be.greaterThan(30);
  });

  const givesBack = async (steps: Steps): Promise<void> => {
    const program = worksIn(steps);
    const words = ["--conditions=source", "--import", "tsx", "--input-type=module", "-e", program];
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: path.resolve(root) });
    expect(stdout).to.equal("given back\n");
  };

  it("gives memory back after each piece of work, and lets the process end", () =>
    givesBack({ size: 20_000, pause: 1 }));

  it("gives back what work without haste has taken, such as indexing", () =>
    givesBack({ size: 2000, pause: 10 }));
});
