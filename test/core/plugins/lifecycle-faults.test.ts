import { expect } from "chai";
import { PluginError } from "@pergola/sdk";
import { deadlines } from "../../../core/plugins/deadlines.ts";
import { lives, toolsOf, write, written } from "../../support/plugins/lives.ts";
import { stateOf } from "../../support/plugins/plugin-scene.ts";
import { toolPlugin, writePlugin, type PluginSource } from "../../support/plugins/write-plugin.ts";

describe("a broken plugin never stops the host, is named with step and remedy, and leaves nothing behind:", () => {
  const life = lives();
  const { policy } = life;

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
      const broken = writePlugin(life.scene.folder, { id: "tool-broken", provides: tools, ...source });
      const lifecycle = await life.scene.run(
        [broken, toolPlugin(life.scene.folder, "tool-good", "return { data: 1 };")],
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
        life.scene.log.lines.filter(
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
    const lifecycle = await life.scene.run([first, second], { import: 2000 });
    expect(stateOf(lifecycle, "a")).to.include("both at once");
    expect(stateOf(lifecycle, "b")).to.include("took longer than 2 s");
  });

  it("hooks that it tapped before it failed are passed over", async () => {
    const fields = `register(host) { host.tap("resolveModel", () => "evil"); }, start() { throw new Error("x"); }`;
    const lifecycle = await life.scene.run([policy("a", fields, { provides: { hooks: ["resolveModel"] } })]);
    expect(await lifecycle.hooks.resolveModel("x")).to.equal(undefined);
  });

  it("a hook that fails later fails that call, and names the plugin", async () => {
    const lifecycle = await life.scene.run([
      policy("a", `register(host) { host.tap("resolveModel", () => { throw new Error("x"); }); }`, {
        provides: { hooks: ["resolveModel"] },
      }),
    ]);
    const error = await Promise.resolve(lifecycle.hooks.resolveModel("x")).catch((reason: unknown) => reason);
    expect(error).to.have.property("message", "a, resolveModel: x");
    expect(stateOf(lifecycle, "a")).to.equal("running");
  });

  it("a collector that fails or hangs", async () => {
    const collector = (id: string, body: string) =>
      policy(id, `register(host) { host.tap("collectTools", async (registry) => { ${body} }); }`, {
        provides: { hooks: ["collectTools"] },
      });
    const add = `registry.add({ name: "half", description: "x", operations: [] });`;
    const lifecycle = await life.scene.run(
      [
        collector("a", `${add} throw new Error("x");`),
        collector("b", `${add} await new Promise(() => {});`),
        toolPlugin(life.scene.folder, "tool-good", ""),
      ],
      { collect: 100 },
    );
    expect(stateOf(lifecycle, "a")).to.include("a, collectTools: x");
    expect(stateOf(lifecycle, "b")).to.include("b, collectTools: took longer than");
    expect(toolsOf(lifecycle)).to.deep.equal(["tool_good"]);
  });

  it("what needs it is left out with it", async () => {
    const lifecycle = await life.scene.run([
      policy("a", `register() { throw new Error("x"); }`),
      policy("b", `start() { ${write("b")} }`, { manifest: { after: ["a"] } }),
      policy("c", "", { manifest: { after: ["b"] } }),
    ]);
    expect(stateOf(lifecycle, "b")).to.include("it needs a, which was left out");
    expect(stateOf(lifecycle, "c")).to.include("it needs b, which was left out");
    expect(written).to.deep.equal([]);
  });

  it("a name that is taken is a fault of the later one, which keeps none of its own", async () => {
    const twin = writePlugin(life.scene.folder, {
      id: "tool-twin",
      provides: { tools: { own_tool: [], "Tool-Good": [] } },
      code: `export default { tools: ["own_tool", "Tool-Good"].map((name) => ({ name, description: "x", operations: [] })) };`,
    });
    const lifecycle = await life.scene.run([toolPlugin(life.scene.folder, "tool-good", ""), twin]);
    expect(stateOf(lifecycle, "tool-twin")).to.include("the tool tool_good is already provided by tool-good");
    expect(toolsOf(lifecycle)).to.deep.equal(["tool_good"]);
  });

  it("two routes that differ in their parameter's name alone are the same", async () => {
    const route = (id: string, path: string) =>
      writePlugin(life.scene.folder, {
        id,
        kind: "endpoint",
        provides: { endpoints: [`GET ${path}`] },
        code: `export default { endpoints: [{ group: "g", routes: [{ method: "GET", path: "${path}", scope: "read", summary: "x", handle() {} }] }] };`,
      });
    const lifecycle = await life.scene.run([
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
    const lifecycle = await life.scene.run([
      writePlugin(life.scene.folder, { id: "e-open", kind: "endpoint", provides, code }),
    ]);
    expect(stateOf(lifecycle, "e-open")).to.include("the route GET /api/x names no scope");
  });

  it("one that fails or hangs in stop does not keep the others from stopping", async () => {
    await life.scene.run(
      [
        policy("a", `stop() { ${write("a")} }`),
        policy("b", `stop() { throw new Error("x"); }`),
        policy("c", `stop: () => new Promise(() => {})`),
      ],
      { stop: 100 },
    );
    await life.scene.stop();
    expect(written).to.deep.equal(["a"]);
    expect(
      life.scene.log.lines
        .filter(({ message }) => message.includes("did not stop cleanly"))
        .map(({ fields }) => fields["plugin"]),
    ).to.deep.equal(["c", "b"]);
  });

  it("one that was started and is left out then is stopped", async () => {
    const lifecycle = await life.scene.run([policy("a", `stop() { ${write("a")} }`)]);
    lifecycle.leaveOut(new PluginError("a", "call", "enough"));
    await life.scene.stop();
    expect(written).to.deep.equal(["a"]);
  });
});
