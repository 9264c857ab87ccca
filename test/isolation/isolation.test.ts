import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect } from "chai";
import { ToolError, type JsonObject, type OperationResult } from "@pergola/sdk";
import { toolContext } from "@pergola/sdk/testing";
import type { Lifecycle } from "../../core/plugins/lifecycle.ts";
import type { DoorPart } from "../../plugins/service-isolation/door-methods.ts";
import { throughDoor } from "../../plugins/service-isolation/through-door.ts";
import { prepareCall } from "../../plugins/service-tools/prepare-call.ts";
import { commandOf, descendants, leftOf } from "../support/descendants.ts";
import { pluginScene, stateOf, type PluginScene } from "../support/plugins/plugin-scene.ts";
import { toolPlugin } from "../support/plugins/write-plugin.ts";
import { stallDuring } from "../support/stall-during.ts";
import { needsSandbox } from "../boundary/support/program-stage.ts";

describe("F12: a plugin in a process of its own", function () {
  this.timeout(30_000);
  let scene: PluginScene;
  /** What the plugins of a test have started. */
  const started = (): readonly number[] =>
    descendants(process.pid).filter((pid) => commandOf(pid).includes("isolated.process"));
  before(needsSandbox);
  beforeEach(() => {
    scene = pluginScene();
  });
  afterEach(async () => {
    await scene.stop();
    expect(await leftOf(started())).to.deep.equal([]);
  });

  const load = (id: string, body: string, more: Parameters<typeof toolPlugin>[3] = {}): Promise<Lifecycle> =>
    scene.run([{ use: toolPlugin(scene.folder, id, body, more), isolation: "process" }]);
  const go = async (
    lifecycle: Lifecycle,
    args: JsonObject = {},
    signal = AbortSignal.timeout(20_000),
  ): Promise<OperationResult | Error> =>
    lifecycle.registry.tools[0]!.tool.operations[0]!.run(args as never, toolContext({ signal })).catch(
      (error: Error) => error,
    );
  const failed = (answer: OperationResult | Error): { readonly code: string; readonly message: string } => {
    expect(ToolError.is(answer), JSON.stringify(answer)).to.equal(true);
    return answer as ToolError;
  };
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

  it("sees a clean environment and none of the host's secrets", async () => {
    process.env["PERGOLA_TEST_CANARY"] = "canary-value";
    try {
      const lifecycle = await load("tool-look", "return { data: Object.keys(process.env) };");
      const { data } = (await go(lifecycle)) as { readonly data: readonly string[] };
      expect(data.toSorted()).to.deep.equal(["HOME", "PWD", "TZ", "UV_THREADPOOL_SIZE"]);
    } finally {
      delete process.env["PERGOLA_TEST_CANARY"];
    }
  });

  it("cannot use the context of a call that has ended", async () => {
    const lifecycle = await load(
      "tool-late",
      "const kept = globalThis.kept; globalThis.kept = context; if (kept) await kept.files.readText('x'); return { data: 1 };",
    );
    expect(await go(lifecycle)).to.deep.equal({ data: 1 });
    expect(failed(await go(lifecycle))).to.include({
      code: "cancelled",
      message: "The call has ended; its context cannot be used any more.",
    });
  });

  it("can ask the door for nothing that the table does not list", async () => {
    for (const [part, method] of [
      ["context", "constructor"],
      ["__proto__", "toString"],
      ["files", "constructor"],
      ["nowhere", "x"],
    ] as const) {
      const request = { call: 1, part: part as DoorPart, method, args: [] };
      const error = await throughDoor(toolContext(), request, () => undefined).catch((each: Error) => each);
      expect(error).to.have.property("message", `The door has no ${part}.${method}.`);
    }
  });

  it("whose question before a call hangs is ended; the call fails closed", async () => {
    const code = `export default { tools: [{ name: "tool_ask", description: "x", operations: [{ name: "go", description: "x", effect: () => { for (;;); }, effects: ["read"], parameters: {}, required: [], run: async () => ({ data: 1 }) }] }] };`;
    const lifecycle = await load("tool-ask", "", { code });
    const entry = lifecycle.registry.tools[0]!;
    const error = await prepareCall(entry, entry.tool.operations[0]!, {}).catch((reason: unknown) => reason);
    expect(error)
      .to.include({ code: "timeout" })
      .and.to.have.property("message")
      .that.includes("did not stop in time");
  });

  it("that says an effect it did not declare fails closed", async () => {
    const code = `export default { tools: [{ name: "tool_ask", description: "x", operations: [{ name: "go", description: "x", effect: () => "none", effects: ["write"], touches: () => [{ path: 1 }], parameters: {}, required: [], run: async () => ({ data: 1 }) }] }] };`;
    const lifecycle = await load("tool-ask", "", { code });
    const entry = lifecycle.registry.tools[0]!;
    const error = await prepareCall(entry, entry.tool.operations[0]!, {}).catch((reason: unknown) => reason);
    expect(error).to.have.property("message").that.includes('the effect "none" is none of those it declares');
  });

  for (const [what, fields] of Object.entries({
    register: "register() {}",
    start: "start() {}",
    providers: "providers: []",
  })) {
    it(`that brings ${what} is left out until it is trusted`, async () => {
      const lifecycle = await load("tool-more", "return { data: 1 };", { fields });
      expect(stateOf(lifecycle, "tool-more"))
        .to.include(`tool-more, import: ${what} cannot work in a process of its own`)
        .and.include('"isolation": "trusted"');
    });
  }

  for (const [what, code, said] of [
    ["throws on import", "throw new Error('no luck');", "no luck"],
    ["exits on import", "process.exit(4);", "exit code 4"],
    ["exports nothing", "export const x = 1;", "no default export"],
    ["brings other tools than promised", "export default { tools: [] };", "the manifest promises"],
  ] as const) {
    it(`that ${what} is left out; nothing of it keeps running`, async () => {
      const lifecycle = await load("tool-bad", "", { code });
      expect(stateOf(lifecycle, "tool-bad")).to.include("tool-bad, ").and.include(said);
    });
  }

  it("hanging on import does not hold up the start longer than its deadline", async () => {
    const folder = toolPlugin(scene.folder, "tool-bad", "", { code: "for (;;);" });
    const begun = performance.now();
    const lifecycle = await scene.run([{ use: folder, isolation: "process" }], { import: 1500 });
    expect(performance.now() - begun).to.be.below(4000);
    expect(stateOf(lifecycle, "tool-bad")).to.include("tool-bad, import: it took longer than 1.5 s");
  });

  it("is gone after stop", async () => {
    const lifecycle = await load("tool-gone", "return { data: 1 };");
    await go(lifecycle);
    const pids = started();
    expect(pids).to.have.length.at.least(3);
    await scene.stop();
    expect(await leftOf(pids)).to.deep.equal([]);
  });

  it("is gone after the host was killed, even from within an endless loop", async () => {
    const folder = toolPlugin(
      scene.folder,
      "tool-loop",
      "setTimeout(() => { for (;;); }); return { data: 1 };",
    );
    const script = path.resolve(import.meta.dirname, "../support/plugins/short-lived-host.ts");
    const host = spawn(process.execPath, [...process.execArgv, script, folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(host.stdout, "data");
    const pids = descendants(host.pid!);
    expect(pids).to.have.length.at.least(3);
    host.kill("SIGKILL");
    await once(host, "exit");
    expect(await leftOf(pids)).to.deep.equal([]);
  });
});
