import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { root } from "../architecture/tree.ts";

/** Makes 32 MB of old garbage while it works without a pause, and then rests; counts forced collections. */
const work = `
  import { constants, PerformanceObserver } from "node:perf_hooks";
  import { collectEarly } from "./core/early-collection.ts";
  let forced = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries())
      if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) forced += 1;
  }).observe({ entryTypes: ["gc"] });
  collectEarly();
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
  await rest(1500);
  console.log(JSON.stringify({ busy, quiet: forced - busy }));
`;

describe("early collection of garbage", function () {
  this.timeout(60_000);

  it("waits while there is work, and comes when it is done", async () => {
    const words = ["--conditions=source", "--import", "tsx", "--input-type=module", "-e", work];
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: path.resolve(root) });
    const { busy, quiet } = JSON.parse(stdout) as { readonly busy: number; readonly quiet: number };
    expect(busy).to.equal(0);
    expect(quiet).to.be.greaterThan(0);
  });
});
