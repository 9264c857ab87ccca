import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { WorkerPool, type PoolOptions } from "../index.ts";
import type { SampleTasks } from "./sample-tasks.ts";
import { rejection, sampleProcess, sampleThread, toError } from "./support.ts";

describe("WorkerPool", function () {
  this.timeout(30_000);
  let pool: WorkerPool<SampleTasks>;
  let started = 0;
  const open = (options: Partial<PoolOptions> = {}): void => {
    started = 0;
    pool = new WorkerPool<SampleTasks>({
      start: () => {
        started += 1;
        return sampleThread();
      },
      toError,
      idleAfter: 60_000,
      ...options,
    });
  };
  afterEach(() => pool.end());

  it("starts a worker with the first task and uses it again", async () => {
    open();
    expect(pool.size).to.equal(0);
    const first = await pool.run("who", null);
    expect(await pool.run("who", null)).to.equal(first);
    expect([pool.size, started]).to.deep.equal([1, 1]);
  });

  it("has no more workers than its size; further tasks wait for their turn", async () => {
    open({ size: 2 });
    const answers = await Promise.all([1, 2, 3, 4, 5].map((value) => pool.run("double", value)));
    expect(answers).to.deep.equal([2, 4, 6, 8, 10]);
    expect(started).to.equal(2);
  });

  it("keeps a worker whose task failed", async () => {
    open();
    expect(await rejection(pool.run("fail", "error"))).to.equal("task: plain");
    await pool.run("double", 1);
    expect(started).to.equal(1);
  });

  it("ends the worker of a task that is aborted, and does the next in another", async () => {
    open();
    const controller = new AbortController();
    const { signal } = controller;
    const spinning = rejection(pool.run("spin", null, { signal }));
    const next = pool.run("double", 2);
    setTimeout(() => controller.abort(new Error("enough")), 100);
    expect(await spinning).to.equal("enough");
    expect(await next).to.equal(4);
    expect(started).to.equal(2);
  });

  it("lets a task leave the queue, or not begin at all", async () => {
    open();
    const controller = new AbortController();
    const hanging = rejection(pool.run("hang", null, { deadline: 1500 }));
    const waiting = rejection(pool.run("double", 1, { signal: controller.signal }));
    const next = pool.run("double", 2);
    controller.abort(new Error("enough"));
    expect(await waiting).to.equal("enough");
    expect(await rejection(pool.run("double", 1, { signal: controller.signal }))).to.equal("enough");
    expect(await hanging).to.equal("deadline: it takes too long");
    expect(await next).to.equal(4);
  });

  it("ends the worker of a task that passes its deadline", async () => {
    open({ deadline: 100 });
    expect(await rejection(pool.run("spin", null))).to.equal("deadline: it takes too long");
    expect(await pool.run("double", 3, { deadline: 10_000 })).to.equal(6);
    expect(started).to.equal(2);
  });

  for (const [task, message] of [
    ["crash", "crashed: thrown outside a task"],
    ["exit", "exited: exit code 3"],
  ] as const)
    it(`starts another worker after one that fails: ${task}`, async () => {
      open();
      const asked = task === "exit" ? pool.run("exit", 3) : pool.run("crash", null);
      expect(await rejection(asked)).to.equal(message);
      expect(await pool.run("double", 3)).to.equal(6);
      expect([pool.size, started]).to.deep.equal([1, 2]);
    });

  it("starts another process after one that ended", async () => {
    open({ start: sampleProcess });
    expect(await rejection(pool.run("exit", 3))).to.equal("exited: exit code 3");
    expect(await pool.run("double", 3)).to.equal(6);
  });

  it("ends a worker for which this process grows too much", async () => {
    open({ growthLimit: 200 << 20 });
    expect(await rejection(pool.run("buffers", null))).to.equal("memory: it needs too much memory");
    expect(await pool.run("double", 3)).to.equal(6);
  });

  it("ends a worker that has nothing to do for a while", async () => {
    open({ idleAfter: 100 });
    const first = await pool.run("who", null);
    for (let waited = 0; pool.size > 0 && waited < 100; waited += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(pool.size).to.equal(0);
    expect(await pool.run("who", null)).to.not.equal(first);
  });

  it("gives each task a worker of its own where nothing may be idle", async () => {
    open({ idleAfter: 0 });
    const [one, two] = [await pool.run("who", null), await pool.run("who", null)];
    expect(one).to.not.equal(two);
  });

  it("ends what it does and what waits, and works again", async () => {
    open();
    const lost = [pool.run("hang", null), pool.run("double", 1)].map(rejection);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await pool.end();
    expect(await Promise.all(lost)).to.deep.equal(["closed: it was closed", "closed: it was closed"]);
    expect(pool.size).to.equal(0);
    expect(await pool.run("double", 1)).to.equal(2);
  });

  it("does not keep the process while its workers are idle", () => {
    const script = fileURLToPath(new URL("./idle-pool.ts", import.meta.url));
    const flags = ["--conditions=source", "--import", "tsx", script];
    const { status, stdout } = spawnSync(process.execPath, flags, { timeout: 15_000, encoding: "utf8" });
    expect([status, stdout]).to.deep.equal([0, "2"]);
  });
});
