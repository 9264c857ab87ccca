import { expect } from "chai";
import type { OperationResult } from "@pergola/sdk";
import { toolContext } from "@pergola/sdk/testing";
import { needsSandbox } from "../boundary/support/program-stage.ts";
import { leftOf } from "../support/descendants.ts";
import { failed, go, loadIsolated, started } from "../support/plugins/isolated-scene.ts";
import { pluginScene, stateOf, type PluginScene } from "../support/plugins/plugin-scene.ts";
import { stallDuring } from "../support/stall-during.ts";

describe("F12: a faulty plugin in a process of its own", function () {
  this.timeout(30_000);
  let scene: PluginScene;
  before(needsSandbox);
  beforeEach(() => {
    scene = pluginScene();
  });
  afterEach(async () => {
    await scene.stop();
    expect(await leftOf(started())).to.deep.equal([]);
  });
  const load = (...of: readonly [id: string, body: string, more?: Parameters<typeof loadIsolated>[3]]) =>
    loadIsolated(scene, ...of);

  /** Does the named harm when asked to, and works otherwise. */
  const harms: Readonly<Record<string, readonly [code: string, body: string]>> = {
    "calls process.exit": ["process.exit(0);", "exit code 0"],
    "exits with a failure": ["process.exit(7);", "exit code 7"],
    aborts: ["process.abort();", "SIGABRT"],
    "kills itself": ["process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});", "SIGKILL"],
    "leaves a rejection unhandled": [
      "void Promise.reject(new Error('stray')); await new Promise(() => {});",
      "exit code 1",
    ],
    "throws out of a timer": [
      "setTimeout(() => { throw new Error('stray'); }); await new Promise(() => {});",
      "exit code 1",
    ],
    "fills its heap": ["const held = []; for (;;) held.push(new Array(10000).fill(held.length));", "SIGABRT"],
    "closes its connection": [
      "(await import('node:fs')).closeSync(3); await new Promise(() => {});",
      "SIGKILL",
    ],
    "S15: fills the connection with a message without end": [
      "(await import('node:fs')).writeSync(3, Buffer.from([0x12, 0xc0, 0, 0])); await new Promise(() => {});",
      "a message of 314572800 bytes; the limit is 8388608",
    ],
    "S15: writes garbage into the connection": [
      "(await import('node:fs')).writeSync(3, Buffer.from('\\0\\0\\0\\x04oops')); await new Promise(() => {});",
      "something that is no message",
    ],
    "S15: sends messages of no known form": [
      "(await import('node:fs')).writeSync(3, Buffer.from('\\0\\0\\0\\x04null')); await new Promise(() => {});",
      "something that is no message",
    ],
  };
  for (const [what, [harm, how]] of Object.entries(harms)) {
    it(`that ${what} fails its call by name; the host goes on, and the next call works`, async () => {
      const lifecycle = await load(
        "tool-harm",
        `if (args.harm) { ${harm} } return { data: (globalThis.born ??= Math.random()) };`,
      );
      const before = (await go(lifecycle)) as OperationResult;
      const stall = await stallDuring(
        go(lifecycle, { harm: true }).then((answer) => {
          const { code, message } = failed(answer);
          expect(code).to.equal("generic_error");
          expect(message).to.include("tool-harm").and.include(how);
        }),
      );
      expect(stall).to.be.below(200);
      const after = (await go(lifecycle)) as OperationResult;
      expect(after.data).to.be.a("number").and.not.equal(before.data);
      expect(stateOf(lifecycle, "tool-harm")).to.equal("running");
    });
  }

  for (const [what, body] of Object.entries({
    "never answers": "await new Promise(() => {});",
    "loops for ever": "for (;;);",
  })) {
    it(`that ${what} is ended once its call is, and the next call works`, async () => {
      const lifecycle = await load("tool-hang", `if (args.harm) { ${body} } return { data: 1 };`);
      const begun = performance.now();
      const work = go(lifecycle, { harm: true }, AbortSignal.timeout(200));
      expect(await stallDuring(work)).to.be.below(200);
      expect(failed(await work)).to.include({
        code: "timeout",
        message: "The plugin tool-hang did not stop in time; its process was ended.",
      });
      expect(performance.now() - begun).to.be.below(3000);
      expect(await go(lifecycle)).to.deep.equal({ data: 1 });
    });
  }

  it("that fills its memory with buffers gets no more of it, and goes on", async () => {
    const body =
      "if (args.harm) { const held = []; for (;;) held.push(Buffer.alloc(2 ** 24, 1)); } return { data: (globalThis.born ??= Math.random()) };";
    const lifecycle = await load("tool-full", body);
    const before = await go(lifecycle);
    expect(await go(lifecycle, { harm: true }))
      .to.be.instanceOf(Error)
      .with.property("message")
      .that.includes("allocation failed");
    expect(await go(lifecycle)).to.deep.equal(before);
  });

  const answers: Readonly<Record<string, readonly [body: string, reason: RegExp]>> = {
    "a huge answer": ["return { data: 'x'.repeat(9 * 2 ** 20) };", /too large; the limit is 8388608/],
    "an answer that goes round in a circle": [
      "const data = {}; data.self = data; return { data };",
      /circular structure/,
    ],
  };
  for (const [what, [body, reason]] of Object.entries(answers)) {
    it(`that gives ${what} fails that call alone`, async () => {
      const lifecycle = await load(
        "tool-odd",
        `if (args.harm) { ${body} return; } return { data: (globalThis.born ??= Math.random()) };`,
      );
      const before = await go(lifecycle);
      const answer = await go(lifecycle, { harm: true });
      expect(answer).to.be.instanceOf(Error).with.property("message").that.matches(reason);
      expect(await go(lifecycle)).to.deep.equal(before);
    });
  }

  for (const [what, body, reason] of [
    ["an answer that cannot be copied", "return { data: () => 1 };", "without data"],
    ["no data", "return { message: 'x' };", "without data"],
    ["nothing", "", "without data"],
    ["a message that is no text", "return { data: 1, message: {} };", "with a message that is no text"],
    ["fields that are no record", "return { data: 1, fields: [1] };", "with fields that are no record"],
  ] as const) {
    it(`that gives ${what} breaks the contract: its process ends, and the next call has a new one`, async () => {
      const lifecycle = await load(
        "tool-odd",
        `if (args.harm) { ${body} return; } return { data: (globalThis.born ??= Math.random()) };`,
      );
      const before = (await go(lifecycle)) as OperationResult;
      const { code, message } = failed(await go(lifecycle, { harm: true }));
      expect({ code, message }).to.deep.equal({
        code: "generic_error",
        message: `The plugin tool-odd answered ${reason}; its process was ended.`,
      });
      const after = (await go(lifecycle)) as OperationResult;
      expect(after.data).to.be.a("number").and.not.equal(before.data);
    });
  }

  it("that answers with much, yet not too much, does not hold up the host", async () => {
    const lifecycle = await load("tool-much", "return { data: 'x'.repeat(7 * 2 ** 20) };");
    const work = go(lifecycle);
    expect(await stallDuring(work)).to.be.below(250);
    expect(((await work) as OperationResult).data).to.have.length(7 * 2 ** 20);
  });

  it("that crashes five times is left out, with the reason in its status, and restarts ever later before", async () => {
    const lifecycle = await load("tool-crash", "process.exit(3);");
    const { tools } = lifecycle.registry;
    const call = () =>
      tools[0]!.tool.operations[0]!.run({} as never, toolContext()).catch((error: Error) => error);
    const times: number[] = [];
    for (let crash = 0; crash < 5; crash++) {
      const begun = performance.now();
      expect(await call()).to.have.property("code", "generic_error");
      times.push(performance.now() - begun);
    }
    expect(times[4]! - times[0]!).to.be.above(500);
    expect(stateOf(lifecycle, "tool-crash")).to.match(
      /failed 5 times within ten minutes, the last time by a crash.*pergola plugins inspect/,
    );
    expect(await call()).to.have.property("code", "unavailable");
  });

  it("takes the calls that run beside the crash with it, and no others", async () => {
    const lifecycle = await load(
      "tool-both",
      "if (args.harm) process.exit(1); await new Promise((resolve) => setTimeout(resolve, args.wait ?? 0)); return { data: 1 };",
    );
    const beside = go(lifecycle, { wait: 5000 });
    await go(lifecycle, { harm: true });
    expect(failed(await beside).message).to.include("tool-both ended while it worked");
    expect(await go(lifecycle)).to.deep.equal({ data: 1 });
  });
});
