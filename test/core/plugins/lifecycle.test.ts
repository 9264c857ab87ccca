import { expect } from "chai";
import { PluginError } from "@pergola/sdk";
import { lives, write, written } from "../../support/plugins/lives.ts";
import { isChosen, stateOf } from "../../support/plugins/plugin-scene.ts";
import { toolPlugin, writePlugin } from "../../support/plugins/write-plugin.ts";

describe("the life of plugins", () => {
  const life = lives();
  const { policy } = life;

  it("runs through register, start and stop in order, and stops in reverse", async () => {
    const living = (id: string, after: readonly string[] = []) =>
      policy(
        id,
        `register() { ${write(`register ${id}`)} }, async start() { ${write(`start ${id}`)} }, stop() { ${write(`stop ${id}`)} }`,
        { manifest: { after: [...after] } },
      );
    await life.scene.run([living("a", ["b"]), living("b")]);
    await life.scene.stop();
    expect(written).to.deep.equal(["register b", "register a", "start b", "start a", "stop a", "stop b"]);
  });

  it("lets handlers that are at work end before it is stopped, within their time", async () => {
    const fields = `register(host) {
      host.tap("runEnded", async (ms) => {
        await new Promise((resolve) => ms > 0 && setTimeout(resolve, ms));
        globalThis.writtenByPlugins.push("ended");
      });
    }, start() {}, stop() { ${write("stopped")} }`;
    const never = 0;
    for (const [ms, expected] of [
      [300, ["ended", "stopped"]],
      [never, ["stopped"]],
    ] as const) {
      const plugin = policy("a", fields, { provides: { hooks: ["runEnded"] } });
      const lifecycle = await life.scene.run([plugin], { stop: 500 });
      void lifecycle.hooks.runEnded(ms as never);
      await life.scene.stop();
      expect(written.splice(0)).to.deep.equal(expected);
    }
  });

  it("collects tools, providers, storages and routes under their names", async () => {
    const code = `export default {
      tools: [{ name: "clock", description: "x", names: ["watch"], operations: [{ name: "go", description: "x", effect: "read", parameters: {}, required: [], run: async () => ({ data: 1 }) }] }],
      providers: [{ type: "mine", name: "Mine", prefix: "mine", open: () => ({}) }],
      storages: [{ type: "paper", open: () => ({}) }],
      endpoints: [{ group: "weather", routes: [{ method: "GET", path: "/api/weather/{city}", scope: "read", summary: "x", handle: () => ({ body: 1 }) }] }],
      collections: { places: { indexes: ["name"] } },
    };`;
    const provides = {
      tools: { clock: ["go"] },
      providers: ["mine"],
      storages: ["paper"],
      endpoints: ["GET /api/weather/{city}"],
    };
    const lifecycle = await life.scene.run([
      writePlugin(life.scene.folder, {
        id: "all-in-one",
        kind: "bridge",
        provides,
        code,
        manifest: { permissions: { files: "workspace" } },
      }),
    ]);
    const { tools, providers, routes } = lifecycle.registry;
    const [{ tool, plugin }] = tools as [(typeof tools)[number]];
    expect(tool.name).to.equal("clock");
    expect({
      id: plugin.id,
      version: plugin.version,
      collections: plugin.collections,
      permissions: plugin.permissions,
    }).to.deep.equal({
      id: "all-in-one",
      version: "1.2.3",
      collections: { places: { indexes: ["name"] } },
      permissions: { files: "workspace" },
    });
    expect(providers.map(({ type }) => type)).to.deep.equal(["mine"]);
    expect(routes.map(({ group, path }) => `${group} ${path}`)).to.deep.equal([
      "weather /api/weather/{city}",
    ]);
    expect(lifecycle.storage("paper").type).to.equal("paper");
  });

  it("gives a plugin its settings, services and collections", async () => {
    const settings = {
      "tools.a.depth": { type: "integer", default: 3, description: "x" },
      "tools.a.name": { type: "string", default: "n", description: "x" },
    };
    const fields = `async start(host) {
      await host.collection("things").put({ id: "1" });
      globalThis.writtenByPlugins.push(host.id, host.settings, host.services.system.version);
    }`;
    await life.scene.run(
      [policy("a", fields, { manifest: { settings } })],
      {},
      { tools: { a: { depth: 5 } } },
    );
    expect(written).to.deep.equal(["a", { "tools.a.depth": 5, "tools.a.name": "n" }, "test"]);
  });

  it("counts what each hook of a plugin did", async () => {
    const lifecycle = await life.scene.run([
      policy("a", `register(host) { host.tap("resolveModel", () => "other"); }`, {
        provides: { hooks: ["resolveModel"] },
      }),
    ]);
    expect(await lifecycle.hooks.resolveModel("x")).to.equal("other");
    const [hook] = lifecycle.status().find(({ id }) => id === "a")!.hooks;
    expect(hook).to.include({ name: "resolveModel", calls: 1, failures: 0 });
  });

  it("lets a bridge add the tools it finds while collecting", async () => {
    const fields = `register(host) { host.tap("collectTools", async (registry) => registry.add({ name: "found", description: "x", operations: [] })); }`;
    const lifecycle = await life.scene.run([
      policy("bridge-x", fields, { kind: "bridge", provides: { hooks: ["collectTools"] } }),
    ]);
    expect(lifecycle.registry.tools.map(({ tool, plugin }) => `${tool.name} ${plugin.id}`)).to.deep.equal([
      "found bridge-x",
    ]);
  });

  it("after the seal nothing can be added and no hook tapped", async () => {
    const fields = `register(host) { globalThis.keptHost = host; }`;
    const lifecycle = await life.scene.run([
      policy("a", fields),
      toolPlugin(life.scene.folder, "tool-a", ""),
    ]);
    const { keptHost } = globalThis as unknown as {
      readonly keptHost: { tap(name: string, handler: () => void): void };
    };
    expect(() => keptHost.tap("runEnded", () => undefined)).to.throw(PluginError, /too late/);
    expect(() =>
      lifecycle.registry.addTool(
        { name: "x", description: "x", operations: [] },
        lifecycle.registry.tools[0]!.plugin,
      ),
    ).to.throw(PluginError, /too late/);
  });

  describe("the storage", () => {
    const storage = (code: string) =>
      writePlugin(life.scene.folder, {
        id: "storage-paper",
        kind: "storage",
        provides: { storages: ["paper"] },
        code,
      });

    it("a faulty backend is what stops the start, by name", async () => {
      const lifecycle = await life.scene.run([storage(`throw new Error("no paper");`)]);
      expect(() => lifecycle.storage("paper")).to.throw(PluginError, /storage-paper, import: no paper/);
    });

    it("a type that nobody provides names the nearest", async () => {
      const lifecycle = await life.scene.run([
        storage(`export default { storages: [{ type: "paper", open() {} }] };`),
      ]);
      expect(() => lifecycle.storage("papier")).to.throw(
        PluginError,
        /no plugin provides the storage type "papier"\. Did you mean "paper"\?/,
      );
    });
  });

  it("says of every plugin where it stands", async () => {
    const off = toolPlugin(life.scene.folder, "tool-off", "");
    const bad = writePlugin(life.scene.folder, { id: "tool-bad", manifest: { kind: "x" } });
    const lifecycle = await life.scene.run(
      [toolPlugin(life.scene.folder, "tool-on", ""), off, bad, "./gone"],
      {},
      { disabled: ["tool-off"] },
    );
    const states = Object.fromEntries(
      lifecycle
        .status()
        .filter(isChosen)
        .map(({ id, state, tier, version }) => [id, `${state} ${tier} ${version}`]),
    );
    expect(states).to.deep.equal({
      "tool-on": "running trusted 1.2.3",
      "tool-off": "disabled trusted 1.2.3",
      "tool-bad": "left out isolated ",
      "./gone": "left out isolated ",
    });
    expect(stateOf(lifecycle, "./gone")).to.include("npm install ./gone");
  });
});
