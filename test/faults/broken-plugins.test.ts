import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply, mockProviderServer, temporaryFolder, type MockProviderServer } from "@pergola/sdk/testing";
import { createHost, type Host } from "../../core/host.ts";
import { officialPlugins } from "../support/host.ts";
import { openProject, type Project } from "../support/pergola.ts";
import { toolCode, writePlugin, type PluginSource } from "../support/plugins/write-plugin.ts";
import { recordingLog } from "../support/recording-log.ts";

interface Broken extends PluginSource {
  /** What its fault says. */
  readonly said: string;
  readonly isolation?: "process";
}

const policy = (id: string, code: string, said: string, hooks: readonly string[] = []): Broken => ({
  id: `policy-${id}`,
  kind: "policy",
  provides: { hooks: [...hooks] },
  code: `export default { ${code} };`,
  said: `policy-${id}, ${said}`,
});
const never = "new Promise(() => {})";
const tool = { provides: { tools: { broken: ["go"] } }, code: toolCode("broken", "return { data: 1 };") };

/** What never gets to work. Those that hang come last: each costs a deadline. */
const throwing: readonly Broken[] = [
  {
    id: "tool-unreadable",
    package: { name: "tool-unreadable" },
    manifest: { id: 7 },
    said: "tool-unreadable, manifest: id must be string",
  },
  { id: "tool-odd", manifest: { provide: {} }, said: `tool-odd, manifest: provide is not known. Did you mean "provides"?` },
  { id: "tool-from-tomorrow", manifest: { sdk: "^9" }, said: "tool-from-tomorrow, manifest: it is made for SDK ^9" },
  { id: "tool-untrue", provides: { tools: { other: ["go"] } }, code: tool.code, said: "tool-untrue, collect: the manifest promises other" },
  { id: "tool-throws", code: `throw new Error("no luck");`, said: "tool-throws, import: no luck" },
  { id: "tool-throws-alone", code: `throw new Error("no luck");`, isolation: "process", said: "tool-throws-alone, import: no luck" },
  policy("register", `register() { throw new Error("no luck"); }`, "register: no luck"),
  policy("register-later", `async register() { throw new Error("no luck"); }`, "register: no luck"),
  policy("start", `start() { throw new Error("no luck"); }`, "start: no luck"),
  policy("collect", `register(host) { host.tap("collectTools", () => { throw new Error("no luck"); }); }`, "collectTools: no luck", [
    "collectTools",
  ]),
  policy("needs", `register(host) { host.tap("noSuchHook", () => 1); }`, `register: there is no hook "noSuchHook"`),
];
const hanging: readonly Broken[] = [
  { id: "tool-hangs", code: `await ${never};`, said: "tool-hangs, import: it took longer than" },
  { id: "tool-hangs-alone", code: "for (;;);", isolation: "process", said: "tool-hangs-alone, import: it took longer than" },
  policy("slow-register", `register: () => ${never}`, "register: it took longer than"),
  policy("slow-start", `start: () => ${never}`, "start: it took longer than"),
  policy("slow-collect", `register(host) { host.tap("collectTools", () => ${never}); }`, "collectTools: took longer than", [
    "collectTools",
  ]),
];

/** What runs, and goes wrong when it is used. A `temperature` chooses the hook that fails. */
const tap = (name: string, body: string): string => `host.tap("${name}", (one, context) => { ${body} });`;
const failing = writeSource(
  "policy-failing",
  ["shapeChat", "shapeModelCall", "authorizeToolCall", "toolCallEnded", "runEnded"],
  [
    tap("shapeChat", `if (one.sampling.temperature === 0.1) throw new Error("no chat"); return one;`),
    tap("shapeModelCall", `if (one.sampling.temperature === 0.2) return ${never}; return one;`),
    tap("authorizeToolCall", `if (one.arguments.path === "odd") throw new Error("no verdict");`),
    tap("toolCallEnded", `throw new Error("no notice");`),
    tap("runEnded", `return ${never};`),
  ],
);

function writeSource(id: string, hooks: readonly string[], taps: readonly string[]): PluginSource {
  return { id, kind: "policy", provides: { hooks: [...hooks] }, code: `export default { register(host) { ${taps.join("\n")} } };` };
}

const misbehaves = `
  if (args.how === "throw") throw new TypeError("no luck");
  if (args.how === "hang") await ${never};
  if (args.how === "spin") for (;;);
  if (args.how === "exit") process.exit(1);
  if (args.how === "late") { setTimeout(() => { throw new Error("too late"); }); Promise.reject(new Error("unwatched")); }
  return { data: "fine" };`;
const misbehaving = (id: string, name: string): PluginSource => ({
  id,
  provides: { tools: { [name]: ["go"] } },
  code: toolCode(name, misbehaves).replace("parameters: {}", `parameters: { how: { type: "string" } }`),
});

const entryOf = (folder: string, { isolation = "trusted", ...source }: PluginSource & { readonly isolation?: string }) => ({
  use: writePlugin(folder, source),
  isolation,
});

interface Available {
  readonly plugins: readonly { readonly id: string; readonly state: string; readonly fault: string | null }[];
}

describe("broken plugins over HTTP", function () {
  this.timeout(30_000);
  const broken = [...throwing, ...hanging];
  const log = recordingLog();
  let host: Host;
  let model: MockProviderServer;
  const request = async <T>(method: string, route: string, body?: object): Promise<{ readonly status: number; readonly body: T }> => {
    const answer = await fetch(host.url + route, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    return { status: answer.status, body: (await answer.json()) as T };
  };
  const available = async (): Promise<Available["plugins"]> => (await request<Available>("GET", "/debug/tools/available")).body.plugins;
  const faultOf = async (id: string): Promise<string> => (await available()).find((plugin) => plugin.id === id)?.fault ?? "";
  const call = async (name: string, args: object) =>
    (
      await request<{ success: boolean; result: string; error_code?: string }>("POST", "/debug/mcp/execute", {
        tool: name,
        arguments: args,
      })
    ).body;
  const chat = async (more: object = {}) =>
    request<{ choices?: readonly { message: { content: string } }[]; error?: { code: string } }>("POST", "/api/chat/completions", {
      model: "default",
      messages: [{ role: "user", content: "Hi" }],
      ...more,
    });

  before(async () => {
    const folder = temporaryFolder("pergola-broken-");
    const file = path.join(folder, "settings.json");
    const misfits = [
      entryOf(folder, misbehaving("tool-inside", "inside")),
      entryOf(folder, { ...misbehaving("tool-alone", "alone"), isolation: "process" }),
      entryOf(folder, { ...misbehaving("tool-apart", "apart"), isolation: "process" }),
      entryOf(folder, failing),
    ];
    const plugins = [...officialPlugins(), ...broken.map((each) => entryOf(folder, each)), ...misfits, path.join(folder, "not-there")];
    model = await mockProviderServer(chatReply({ text: "Hello." }));
    const settings = {
      plugins,
      storage: { type: "memory" },
      default_model: "custom/test",
      "providers.list": [{ type: "custom", base_url: model.baseUrl, retry_count: 0 }],
      "tools.timeout_seconds": 1,
    };
    writeFileSync(file, JSON.stringify(settings));
    const deadlines = { import: 4000, register: 300, collect: 300, start: 300, stop: 300 };
    host = await createHost({ file, data: path.join(folder, "data"), environment: {}, home: folder, cwd: folder, log, deadlines });
    await host.listen({ port: 0 });
  });
  after(async () => {
    await host.stop();
    await model.close();
  });

  for (const { id, said } of broken)
    it(`${id} is left out; /debug and the log say why`, async () => {
      const plugin = (await available()).find((each) => each.id === id);
      expect(plugin?.state).to.equal("left out");
      expect(plugin?.fault).to.include(said);
      const line = log.lines.find(({ level, fields }) => level === "error" && fields["plugin"] === id);
      expect(line?.message).to.include(said);
    });

  it("names a plugin that is not there", async () => {
    const lost = (await available()).find(({ fault }) => fault?.includes("there is no such plugin"));
    expect(lost?.id).to.match(/not-there$/);
  });

  it("the rest works: chats, tools and lists", async () => {
    expect((await chat()).body.choices).to.have.length(1);
    expect(await call("think", { thoughts: "x" })).to.include({ success: true });
    expect(await request("GET", "/api/models")).to.include({ status: 200 });
    expect((await available()).filter(({ state }) => state === "running").length).to.be.at.least(18);
  });

  describe("a hook that goes wrong while the host serves", () => {
    it("ends a run with an error when it throws in shapeChat; the next run works", async () => {
      expect((await chat({ temperature: 0.1 })).status).to.equal(500);
      expect(await faultOf("policy-failing")).to.include("policy-failing, shapeChat: no chat");
      expect((await chat()).status).to.equal(200);
      expect(log.lines.some(({ fields }) => String(fields["error"]).includes("policy-failing, shapeChat"))).to.equal(true);
    });

    it("ends a run with an error when it hangs in shapeModelCall; the next run works", async () => {
      expect((await chat({ temperature: 0.2 })).status).to.equal(500);
      expect((await chat()).status).to.equal(200);
    });

    it("refuses a call when it throws in authorizeToolCall; other calls are made", async () => {
      expect(await call("file_operations.list_dir", { path: "odd" })).to.include({ success: false });
      expect(await call("file_operations.list_dir", { path: "." })).to.include({ success: true });
    });

    it("is only logged when it throws in a notice", async () => {
      expect(await call("think", { thoughts: "x" })).to.include({ success: true });
      expect(log.lines.some(({ message }) => message.includes("policy-failing, toolCallEnded: no notice"))).to.equal(true);
    });
  });

  describe("a tool that goes wrong", () => {
    for (const name of ["inside", "alone"])
      it(`${name}: fails its call when it throws or hangs, and works again`, async () => {
        expect(await call(name, { operation: "go", how: "throw" })).to.include({ success: false, error_code: "generic_error" });
        expect(await call(name, { operation: "go", how: "hang" })).to.include({ success: false, error_code: "timeout" });
        expect(await call(name, { operation: "go" })).to.include({ success: true, result: "fine" });
        expect(log.lines.some(({ fields }) => String(fields["tool"]).startsWith(name))).to.equal(true);
      });

    it("in a process of its own: it may spin, exit, and throw where nobody catches; the host goes on", async () => {
      expect(await call("apart", { operation: "go", how: "spin" })).to.include({ success: false, error_code: "timeout" });
      expect(await call("apart", { operation: "go", how: "exit" })).to.include({ success: false });
      await call("apart", { operation: "go", how: "late" });
      while (
        log.lines.filter(({ fields, message }) => fields["plugin"] === "tool-apart" && message.includes("ended while it worked")).length < 2
      )
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await call("apart", { operation: "go" })).to.include({ success: true, result: "fine" });
      expect((await chat()).status).to.equal(200);
    });
  });
});

describe("broken plugins at the command line", function () {
  this.timeout(30_000);
  let project: Project;
  before(async () => {
    project = await openProject(chatReply({ text: "Hello." }));
    const late = { ...misbehaving("tool-inside", "inside"), isolation: "trusted" };
    const plugins = [...throwing, late, failing].map((each) => entryOf(project.folder, each));
    project.settings({ plugins: ["@pergola/bundle-standard", ...plugins] });
  });
  after(() => project.close());

  it("`pergola doctor` names each with step and remedy", async () => {
    const { code, stdout } = await project.run(["doctor"]);
    expect(code).to.equal(1);
    for (const { id, said } of throwing) expect(stdout).to.include(`✗ ${id}: ${said}`);
  });

  it("`pergola start` names each, serves, and outlives what a trusted plugin throws where nobody catches", async () => {
    const service = project.begin(["start", "--port", "0"].slice(0, 1));
    await service.wrote("stop with Ctrl-C");
    for (const { id } of throwing) expect(service.stdout).to.include(`left out    ${id}: `);
    expect(await project.run(["tools", "call", "inside.go", "how=late", "--yes"])).to.include({ code: 0 });
    await service.wrote("too late");
    await service.wrote("unwatched");
    expect(await project.run(["chat"], { input: "Hi\n" })).to.include({ code: 0, stdout: "Hello.\n" });
    const { stdout } = await project.run(["doctor"]);
    expect(stdout).to.include("✗ policy-failing, in the service: policy-failing, toolCallEnded: no notice");
    expect(await service.end()).to.equal(0);
  });
});
