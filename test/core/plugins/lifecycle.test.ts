import { expect } from "chai";
import { PluginError } from "@pergola/sdk";
import { deadlines } from "../../../core/plugins/deadlines.ts";
import type { Lifecycle } from "../../../core/plugins/lifecycle.ts";
import { isChosen, pluginScene, stateOf, type PluginScene } from "../../support/plugins/plugin-scene.ts";
import { toolPlugin, writePlugin, type PluginSource } from "../../support/plugins/write-plugin.ts";

/** What the plugins of these tests write down, in order. */
const written: string[] = [];
(globalThis as unknown as Record<string, unknown>)["writtenByPlugins"] = written;
const write = (text: string): string => `globalThis.writtenByPlugins.push(${JSON.stringify(text)});`;

describe("the life of plugins", () => {
  let scene: PluginScene;
  const policy = (id: string, fields: string, more: Partial<PluginSource> = {}): string =>
    writePlugin(scene.folder, { id, kind: "policy", code: `export default { ${fields} };`, ...more });
  const toolsOf = (lifecycle: Lifecycle): readonly string[] =>
    lifecycle.registry.tools.map(({ tool }) => tool.name);
  beforeEach(() => {
    scene = pluginScene();
    written.length = 0;
  });
  afterEach(() => scene.stop());

  it("runs through register, start and stop in order, and stops in reverse", async () => {
    const life = (id: string, after: readonly string[] = []) =>
      policy(
        id,
        `register() { ${write(`register ${id}`)} }, async start() { ${write(`start ${id}`)} }, stop() { ${write(`stop ${id}`)} }`,
        { manifest: { after: [...after] } },
      );
    await scene.run([life("a", ["b"]), life("b")]);
    await scene.stop();
    expect(written).to.deep.equal(["register b", "register a", "start b", "start a", "stop a", "stop b"]);
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
    const lifecycle = await scene.run([
      writePlugin(scene.folder, {
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
    await scene.run([policy("a", fields, { manifest: { settings } })], {}, { tools: { a: { depth: 5 } } });
    expect(written).to.deep.equal(["a", { "tools.a.depth": 5, "tools.a.name": "n" }, "test"]);
  });

  it("counts what each hook of a plugin did", async () => {
    const lifecycle = await scene.run([
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
    const lifecycle = await scene.run([
      policy("bridge-x", fields, { kind: "bridge", provides: { hooks: ["collectTools"] } }),
    ]);
    expect(lifecycle.registry.tools.map(({ tool, plugin }) => `${tool.name} ${plugin.id}`)).to.deep.equal([
      "found bridge-x",
    ]);
  });

  describe("a broken plugin never stops the host, is named with step and remedy, and leaves nothing behind:", () => {
    const tools = { tools: { broken: ["go"] } };
    const operation = `tools: [{ name: "broken", description: "x", operations: [{ name: "go", description: "x", effect: "read", parameters: {}, required: [], run: async () => ({ data: 1 }) }] }]`;
    const withOperation = (more: string): string =>
      `export default { tools: [{ name: "broken", description: "x", operations: [{ name: "go", description: "x", effect: "read", parameters: {}, required: [], run: async () => ({ data: 1 }), ${more} }] }] };`;
    const misstated = [
      [
        "an effect that does not exist",
        `effect: "nothing"`,
        'broken.go.effect must be one of none, read, write, destructive, execute, not "nothing"',
      ],
      ["an effect worked out without a list", "effect: () => 'read'", "broken.go.effects must list"],
      ["a listed effect that does not exist", `effect: () => "read", effects: ["reed"]`, 'not "reed"'],
      [
        "a parameter of a type that does not exist",
        `parameters: { count: { type: "int" } }`,
        'broken.go.parameters.count: there is no type "int". Did you mean',
      ],
      [
        "a type that does not exist deep in a parameter",
        `parameters: { list: { type: "array", items: { type: ["string", "nul"] } } }`,
        'parameters.list.items: there is no type "nul"',
      ],
      ["a parameter that is no schema", `parameters: { count: 3 }`, "parameters.count must be a JSON schema"],
      ["a required parameter that is not there", `required: ["count"]`, "required names count"],
      ["a recovery that does not exist", `recovery: "again"`, "broken.go.recovery must be one of repeat"],
      ["a place that does not exist", `place: "here"`, "broken.go.place must be one of paths"],
    ] as const;
    const cases: readonly (readonly [
      what: string,
      source: Partial<PluginSource>,
      step: string,
      said: string,
    ])[] = [
      ["a syntax fault", { code: "export default {" }, "import", ""],
      ["throwing on import", { code: `throw new Error("no luck");` }, "import", "no luck"],
      ["hanging on import", { code: "await new Promise(() => {});" }, "import", "took longer than"],
      [
        "importing what is not installed",
        { code: `import "no-such-package"; export default {};` },
        "import",
        "no-such-package",
      ],
      ["no default export", { code: "export const x = 1;" }, "import", "no default export"],
      ["a default export that is no plugin", { code: "export default 7;" }, "import", "no default export"],
      [
        "an unknown field",
        { code: "export default { tool: [] };" },
        "import",
        'a field "tool" that nobody reads. Did you mean "tools"?',
      ],
      [
        "a tool without operations",
        { code: `export default { tools: [{ name: "x", description: "x" }] };` },
        "import",
        "tools[0] (x) has no operations",
      ],
      [
        "an operation that cannot run",
        {
          code: `export default { tools: [{ name: "x", description: "x", operations: [{ name: "go" }] }] };`,
        },
        "import",
        "operations[0] (go) has no run: give it async run(args, context)",
      ],
      ...misstated.map(
        ([what, more, said]) => [`A2: ${what}`, { code: withOperation(more) }, "import", said] as const,
      ),
      ["tools that are no list", { code: "export default { tools: {} };" }, "import", "tools must be a list"],
      [
        "register that is no function",
        { code: "export default { register: 1 };" },
        "import",
        "register must be a function",
      ],
      [
        "throwing in register",
        { code: `export default { ${operation}, register() { throw new Error("no luck"); } };` },
        "register",
        "no luck",
      ],
      [
        "throwing something that is no error",
        { code: `export default { ${operation}, register() { throw "no luck"; } };` },
        "register",
        "no luck",
      ],
      [
        "hanging in register",
        { code: `export default { ${operation}, register: () => new Promise(() => {}) };` },
        "register",
        "took longer than",
      ],
      [
        "tapping an unknown hook",
        { code: `export default { ${operation}, register(host) { host.tap("shapeChats", () => {}); } };` },
        "register",
        'Did you mean "shapeChat"?',
      ],
      [
        "using services too early",
        { code: `export default { ${operation}, register(host) { host.services.tools; } };` },
        "register",
        "can be used from start on",
      ],
      [
        "tapping a hook the manifest does not name",
        {
          code: `export default { ${operation}, register(host) { host.tap("shapeChat", (chat) => chat); } };`,
        },
        "collect",
        "the code provides shapeChat, which the manifest does not name",
      ],
      [
        "tools the code lacks",
        { code: "export default {};" },
        "collect",
        "the manifest promises broken, broken.go, which the code does not provide",
      ],
      [
        "an operation the manifest does not name",
        { code: `export default { ${operation} };`, provides: { tools: { broken: [] } } },
        "collect",
        "the code provides broken.go",
      ],
      [
        "throwing in start",
        { code: `export default { ${operation}, start() { throw new Error("no luck"); } };` },
        "start",
        "no luck",
      ],
      [
        "hanging in start",
        { code: `export default { ${operation}, start: () => new Promise(() => {}) };` },
        "start",
        "took longer than",
      ],
    ];
    for (const [what, source, step, said] of cases) {
      it(what, async () => {
        const broken = writePlugin(scene.folder, { id: "tool-broken", provides: tools, ...source });
        const lifecycle = await scene.run(
          [broken, toolPlugin(scene.folder, "tool-good", "return { data: 1 };")],
          {
            import: 400,
            register: 100,
            start: 100,
            stop: 100,
          },
        );
        const fault = stateOf(lifecycle, "tool-broken");
        expect(fault).to.include(`tool-broken, ${step}: `).and.include(said);
        expect(fault).to.match(/disabled|half-finished|Install/);
        expect(
          scene.log.lines.filter(
            ({ level, fields }) =>
              level === "error" && fields["plugin"] === "tool-broken" && fields["step"] === step,
          ),
        ).to.have.length(1);
        expect(toolsOf(lifecycle)).to.deep.equal(["tool_good"]);
        expect(stateOf(lifecycle, "tool-good")).to.equal("running");
      });
    }

    it("A7: those that hang on import wait side by side, for ten seconds in all", async () => {
      expect(deadlines.import).to.be.at.most(10_000);
      const first = policy("a", "", {
        code: `await new Promise((resolve) => { globalThis.secondBegan = resolve; }); throw new Error("both at once");`,
      });
      const second = policy("b", "", {
        code: "setInterval(() => globalThis.secondBegan(), 1).unref(); await new Promise(() => {});",
      });
      const lifecycle = await scene.run([first, second], { import: 2000 });
      expect(stateOf(lifecycle, "a")).to.include("both at once");
      expect(stateOf(lifecycle, "b")).to.include("took longer than 2 s");
    });

    it("hooks that it tapped before it failed are passed over", async () => {
      const fields = `register(host) { host.tap("resolveModel", () => "evil"); }, start() { throw new Error("x"); }`;
      const lifecycle = await scene.run([policy("a", fields, { provides: { hooks: ["resolveModel"] } })]);
      expect(await lifecycle.hooks.resolveModel("x")).to.equal(undefined);
    });

    it("a hook that fails later fails that call, and names the plugin", async () => {
      const lifecycle = await scene.run([
        policy("a", `register(host) { host.tap("resolveModel", () => { throw new Error("x"); }); }`, {
          provides: { hooks: ["resolveModel"] },
        }),
      ]);
      const error = await Promise.resolve(lifecycle.hooks.resolveModel("x")).catch(
        (reason: unknown) => reason,
      );
      expect(error).to.have.property("message", "a, resolveModel: x");
      expect(stateOf(lifecycle, "a")).to.equal("running");
    });

    it("a collector that fails or hangs", async () => {
      const collector = (id: string, body: string) =>
        policy(id, `register(host) { host.tap("collectTools", async (registry) => { ${body} }); }`, {
          provides: { hooks: ["collectTools"] },
        });
      const add = `registry.add({ name: "half", description: "x", operations: [] });`;
      const lifecycle = await scene.run(
        [
          collector("a", `${add} throw new Error("x");`),
          collector("b", `${add} await new Promise(() => {});`),
          toolPlugin(scene.folder, "tool-good", ""),
        ],
        { collect: 100 },
      );
      expect(stateOf(lifecycle, "a")).to.include("a, collectTools: x");
      expect(stateOf(lifecycle, "b")).to.include("b, collectTools: took longer than");
      expect(toolsOf(lifecycle)).to.deep.equal(["tool_good"]);
    });

    it("what needs it is left out with it", async () => {
      const lifecycle = await scene.run([
        policy("a", `register() { throw new Error("x"); }`),
        policy("b", `start() { ${write("b")} }`, { manifest: { after: ["a"] } }),
        policy("c", "", { manifest: { after: ["b"] } }),
      ]);
      expect(stateOf(lifecycle, "b")).to.include("it needs a, which was left out");
      expect(stateOf(lifecycle, "c")).to.include("it needs b, which was left out");
      expect(written).to.deep.equal([]);
    });

    it("a name that is taken is a fault of the later one, which keeps none of its own", async () => {
      const twin = writePlugin(scene.folder, {
        id: "tool-twin",
        provides: { tools: { own_tool: [], "Tool-Good": [] } },
        code: `export default { tools: ["own_tool", "Tool-Good"].map((name) => ({ name, description: "x", operations: [] })) };`,
      });
      const lifecycle = await scene.run([toolPlugin(scene.folder, "tool-good", ""), twin]);
      expect(stateOf(lifecycle, "tool-twin")).to.include(
        "the tool tool_good is already provided by tool-good",
      );
      expect(toolsOf(lifecycle)).to.deep.equal(["tool_good"]);
    });

    it("two routes that differ in their parameter's name alone are the same", async () => {
      const route = (id: string, path: string) =>
        writePlugin(scene.folder, {
          id,
          kind: "endpoint",
          provides: { endpoints: [`GET ${path}`] },
          code: `export default { endpoints: [{ group: "g", routes: [{ method: "GET", path: "${path}", scope: "read", summary: "x", handle() {} }] }] };`,
        });
      const lifecycle = await scene.run([
        route("e-one", "/api/x/{id}"),
        route("e-two", "/api/x/{name}"),
        route("e-rest", "/api/x/{name…}"),
      ]);
      expect(stateOf(lifecycle, "e-two")).to.include("already provided by e-one");
      expect(stateOf(lifecycle, "e-rest")).to.equal("running");
    });

    it("a route that names no scope, so that nobody knows who may use it", async () => {
      const code = `export default { endpoints: [{ group: "g", routes: [{ method: "GET", path: "/api/x", summary: "x", handle() {} }] }] };`;
      const provides = { endpoints: ["GET /api/x"] };
      const lifecycle = await scene.run([
        writePlugin(scene.folder, { id: "e-open", kind: "endpoint", provides, code }),
      ]);
      expect(stateOf(lifecycle, "e-open")).to.include("the route GET /api/x names no scope");
    });

    it("one that fails or hangs in stop does not keep the others from stopping", async () => {
      await scene.run(
        [
          policy("a", `stop() { ${write("a")} }`),
          policy("b", `stop() { throw new Error("x"); }`),
          policy("c", `stop: () => new Promise(() => {})`),
        ],
        { stop: 100 },
      );
      await scene.stop();
      expect(written).to.deep.equal(["a"]);
      expect(
        scene.log.lines
          .filter(({ message }) => message.includes("did not stop cleanly"))
          .map(({ fields }) => fields["plugin"]),
      ).to.deep.equal(["c", "b"]);
    });

    it("one that was started and is left out then is stopped", async () => {
      const lifecycle = await scene.run([policy("a", `stop() { ${write("a")} }`)]);
      lifecycle.leaveOut(new PluginError("a", "call", "enough"));
      await scene.stop();
      expect(written).to.deep.equal(["a"]);
    });
  });

  it("after the seal nothing can be added and no hook tapped", async () => {
    const fields = `register(host) { globalThis.keptHost = host; }`;
    const lifecycle = await scene.run([policy("a", fields), toolPlugin(scene.folder, "tool-a", "")]);
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
      writePlugin(scene.folder, {
        id: "storage-paper",
        kind: "storage",
        provides: { storages: ["paper"] },
        code,
      });

    it("a faulty backend is what stops the start, by name", async () => {
      const lifecycle = await scene.run([storage(`throw new Error("no paper");`)]);
      expect(() => lifecycle.storage("paper")).to.throw(PluginError, /storage-paper, import: no paper/);
    });

    it("a type that nobody provides names the nearest", async () => {
      const lifecycle = await scene.run([
        storage(`export default { storages: [{ type: "paper", open() {} }] };`),
      ]);
      expect(() => lifecycle.storage("papier")).to.throw(
        PluginError,
        /no plugin provides the storage type "papier"\. Did you mean "paper"\?/,
      );
    });
  });

  it("says of every plugin where it stands", async () => {
    const off = toolPlugin(scene.folder, "tool-off", "");
    const bad = writePlugin(scene.folder, { id: "tool-bad", manifest: { kind: "x" } });
    const lifecycle = await scene.run(
      [toolPlugin(scene.folder, "tool-on", ""), off, bad, "./gone"],
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
