import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import path from "node:path";
import { expect } from "chai";
import { toolContext } from "@pergola/sdk/testing";
import { needsSandbox } from "../boundary/support/program-stage.ts";
import type { DoorPart } from "../../plugins/service-isolation/door-methods.ts";
import { throughDoor } from "../../plugins/service-isolation/through-door.ts";
import { prepareCall } from "../../plugins/service-tools/prepare-call.ts";
import { descendants, leftOf } from "../support/descendants.ts";
import { failed, go, loadIsolated, started } from "../support/plugins/isolated-scene.ts";
import { pluginScene, stateOf, type PluginScene } from "../support/plugins/plugin-scene.ts";
import { EarlyParts } from "../../core/plugins/early-parts.ts";
import { toolPlugin, writePlugin } from "../support/plugins/write-plugin.ts";

describe("F12: a plugin in a process of its own", function () {
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

  it("that is known is registered while its walls are tried, and left out where there are none", async () => {
    const known = {
      use: toolPlugin(scene.folder, "tool-known", "return { data: 1 };"),
      isolation: "process",
    };
    expect((await scene.run([known])).registry.tools).to.have.length(1);
    await scene.stop();
    const events = new EventEmitter();
    Object.assign(globalThis, { registers: () => events.emit("registers") });
    // All plugins are imported before one is registered.
    const code = `export default { register(host) { host.tap("runEnded", () => {}); registers(); } };`;
    const provides = { hooks: ["runEnded"] };
    const other = writePlugin(scene.folder, { id: "policy-last", kind: "policy", provides, code });
    const own = Object.getOwnPropertyDescriptor(EarlyParts.prototype, "sandbox")!;
    const state = once(events, "registers").then(
      () => ({ works: false, reason: "none", remedy: "" }) as const,
    );
    EarlyParts.prototype.sandbox = async () => ({
      state: () => state,
      wrap: () => expect.fail("It started."),
    });
    try {
      const lifecycle = await scene.run([known, other]);
      expect(stateOf(lifecycle, "policy-last")).to.equal("running");
      expect(stateOf(lifecycle, "tool-known")).to.include("there is no sandbox to run it in: none");
      expect(lifecycle.registry.tools).to.deep.equal([]);
    } finally {
      Object.defineProperty(EarlyParts.prototype, "sandbox", own);
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
