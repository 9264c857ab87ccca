import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { JsonObject, PluginStatus } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { trustFolder } from "../../core/settings/trust.ts";
import { openStage, type Stage } from "../support/host.ts";
import { answer, calling, outcomesOf, pendingIn, play, saying, type Outcome } from "../support/lab-stage.ts";
import { recordingLog } from "../support/recording-log.ts";
import { sentBody } from "../support/chat.ts";

const dice = `import { defineTool, type ToolContext } from "@pergola/sdk";

interface Rolled {
  readonly rolls: readonly number[];
}

const one = (sides: number, context: ToolContext): number => 1 + (context.clock.now() % sides);

export default defineTool({
  description: "Roll dice.",
  effect: "none",
  parameters: { count: { type: "integer", minimum: 1 }, sides: { type: "integer", minimum: 2, default: 6 } },
  required: ["count"],
  run: async ({ count, sides = 6 }, context) => {
    const { rolls }: Rolled = { rolls: Array.from({ length: count as number }, () => one(sides, context)) };
    return { data: rolls.length, message: \`Rolled \${rolls.length} dice.\` };
  },
});
`;
const tool = (body: string, more = ""): string =>
  `export default {
  description: "A tool under test", effect: "read", ${more}
  parameters: { name: { type: "string" } },
  async run(args, context) { ${body} },
};
`;

describe("tools in single files", function () {
  this.timeout(60_000);
  let home: string;
  let own: string;
  let folder: string;
  let log: ReturnType<typeof recordingLog>;
  let stage: Stage | undefined;

  beforeEach(() => {
    home = temporaryFolder("pergola-files-");
    own = path.join(home, ".config", "pergola", "tools");
    folder = path.join(home, ".pergola", "tools");
    for (const each of [own, folder]) mkdirSync(each, { recursive: true });
  });
  afterEach(() => end());

  const end = async (): Promise<void> => {
    await stage?.end();
    stage = undefined;
  };
  const write = (place: string, files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(place, name), text);
  };
  const open = async (settings: JsonObject = {}): Promise<Stage> => {
    await end();
    log = recordingLog();
    const options = { "plugins.require_sandbox": false, storage: { type: "sqlite" }, ...settings };
    stage = await openStage([], { dataDirectory: home, settings: options, log });
    return stage;
  };
  const plugins = (): readonly PluginStatus[] =>
    stage!.host.services.system.plugins().filter(({ id }) => id.startsWith("file-"));
  const statusOf = (id: string): PluginStatus => plugins().find((plugin) => plugin.id === id)!;
  const trust = (): Promise<void> => trustFolder(home, { home, environment: {} });
  /** What a model gets that calls a tool. */
  const call = async (name: string, args: JsonObject = {}): Promise<Outcome> => {
    const conversationId = `${name}-${Math.random()}`;
    const script = [calling({ name, arguments: { operation: "run", ...args } }), saying("done")];
    await play(stage!, script, { conversationId, workingDirectory: temporaryFolder() });
    return (await outcomesOf(stage!.host, conversationId)).at(-1)!;
  };

  it("TF1 a file of TypeScript and one of JavaScript are tools that a model is offered and calls", async () => {
    write(own, { "roll_dice.ts": dice, "greet.js": tool("return { data: `Hello, ${args.name}!` };") });
    await open();
    expect(await call("roll_dice", { count: 3 })).to.include({ success: true, data: "3" });
    expect(await call("greet", { name: "Ada" })).to.include({ success: true, data: "Hello, Ada!" });
    const offered = sentBody(stage!, 0).tools!.map(({ function: { name } }) => name);
    expect(offered).to.include.members(["roll_dice", "greet"]);
    expect(statusOf("file-roll-dice")).to.include({
      state: "running",
      tier: "isolated",
      pinned: "own",
      official: false,
      description: "Roll dice.",
      folder: path.join(own, "roll_dice.ts"),
    });
  });

  it("TF2 several operations stand in one file", async () => {
    const operations = ["one", "two"].map(
      (name) => `{ name: "${name}", description: "${name}", effect: "none", parameters: {}, required: [],
        run: async () => ({ data: "${name}" }) }`,
    );
    write(own, {
      "numbers.js": `export default { description: "Numbers", operations: [${operations.join()}] };`,
    });
    await open();
    expect(await call("numbers", { operation: "two" })).to.include({ success: true, data: "two" });
    expect(statusOf("file-numbers").effects).to.deep.equal({ numbers: { one: ["none"], two: ["none"] } });
  });

  it("TF3 a file that writes asks first, and a changed file is another one to a grant", async () => {
    const more = 'effect: "write", place: "external",';
    write(own, { "publish.js": tool("return { data: 'published' };", more) });
    await open();
    const script = [calling({ name: "publish", arguments: { operation: "run" } }), saying("done")];
    const asked = play(stage!, script, { conversationId: "asks" });
    const { toolCallId, tool: name, effect } = await pendingIn(stage!.host, "asks");
    expect({ name, effect }).to.deep.equal({ name: "publish", effect: "write" });
    await answer(stage!.host, toolCallId, { approved: true });
    await asked;
    expect((await outcomesOf(stage!.host, "asks")).at(-1)).to.include({ success: true, data: "published" });
    const { version } = statusOf("file-publish");
    write(own, { "publish.js": tool("return { data: 'printed' };", more) });
    await open();
    expect(statusOf("file-publish").version).not.to.equal(version);
  });

  it("TF4 a file reaches only what it names, through the context of its call", async () => {
    const tries = `
      const outcome = (work) => work.then((value) => "DONE " + value, (error) => error.code ?? error.message);
      return { data: {
        door: await outcome(context.files.write("note.txt", "x", { create: true }).then(() => "written")),
        read: await outcome(context.files.readText("note.txt")),
        network: await outcome(context.fetch("https://example.org/").then(() => "fetched")),
        program: await outcome(context.spawn("id", []).then(() => "ran")),
        self: await outcome(import("node:fs").then((fs) => fs.readFileSync(${JSON.stringify("/etc/hostname")}))),
      } };`;
    const fields = 'effect: "write", place: "own",';
    write(own, {
      "closed.js": tool(tries, fields),
      "open.js": tool(tries, `${fields} permissions: { files: "workspace" },`),
    });
    await open();
    const outcomes = async (name: string) =>
      JSON.parse((await call(name)).data ?? "{}") as Readonly<Record<string, string>>;
    const closed = await outcomes("closed");
    expect(Object.values(closed).filter((outcome) => outcome.startsWith("DONE"))).to.deep.equal([]);
    expect(closed).to.include({ door: "permission_denied", network: "permission_denied" });
    const opened = await outcomes("open");
    expect(opened).to.include({ door: "DONE written", read: "DONE x", network: "permission_denied" });
    expect(opened["self"]).not.to.include("DONE");
    expect(statusOf("file-open").permissions).to.deep.equal({ files: "workspace" });
  });

  it("TF4 the memory that a file asks for is that of its process", async () => {
    write(own, {
      "small.js": tool(
        "return { data: process.execArgv.join(' ') };",
        "permissions: { memoryMegabytes: 64 },",
      ),
    });
    await open();
    expect((await call("small")).data).to.include("--max-old-space-size=32");
  });

  const broken: Readonly<Record<string, readonly [file: string, text: string, said: RegExp]>> = {
    "is no TypeScript": ["bad.ts", "const x: = 3;\nexport default {};\n", /bad\.ts, line 1: Unexpected/],
    "needs more than its types taken out": [
      "bad.ts",
      "\n\nenum A { x }\nexport default {};\n",
      /bad\.ts, line 3: .*enum/,
    ],
    "is no JavaScript": ["bad.js", "export default {\n  run( {\n};\n", /bad\.js, line [23]: /],
    "throws when it is read": [
      "bad.ts",
      "interface A { x: string }\n\nthrow new Error('oh no');\n",
      /bad\.ts, line 3: oh no/,
    ],
    "exports nothing": ["bad.js", "const a = 1;\n", /bad\.js, it has no default export/],
    "misspells a field": [
      "bad.js",
      `\n${tool("return { data: 1 };").replace("effect:", "efect:")}`,
      /bad\.js, line 2: it has a field "efect" that nobody reads\. Did you mean "?effect"?/,
    ],
    "names an effect that is none": [
      "bad.js",
      tool("return { data: 1 };", 'effect: "reads",'),
      /bad\.js, line 1: bad\.run\.effect must be one of/,
    ],
    "asks for a permission that is none": [
      "bad.js",
      tool("return { data: 1 };", 'permissions: { files: "all" },'),
      /bad\.js, .*permissions.*files/,
    ],
    "takes a package": ["bad.js", 'import x from "lodash";\nexport default x;\n', /bad\.js, .*lodash/],
    "ends its process": ["bad.js", "process.exit(3);\n", /bad\.js, .*exit code 3/],
  };
  for (const [what, [file, text, said]] of Object.entries(broken))
    it(`TF5 a file that ${what} is left out, with its place and a remedy, and takes nothing along`, async () => {
      write(own, { [file]: text, "good.js": tool("return { data: 1 };") });
      await open();
      const { state, fault } = statusOf("file-bad");
      expect(state).to.equal("left out");
      expect(fault).to.match(said);
      expect(fault).to.include(`Correct ${file}, or take it out of ${own}`);
      expect(statusOf("file-good").state).to.equal("running");
      const others = stage!.host.services.system.plugins().filter(({ id }) => id !== "file-bad");
      expect(others.filter((plugin) => plugin.state === "left out")).to.deep.equal([]);
    });

  it("TF6 a name that is taken, or is none, is left out and says so", async () => {
    write(own, {
      "weather_operations.js": tool("return { data: 1 };"),
      "Roll-Dice.js": tool("return { data: 1 };"),
      "twin.js": tool("return { data: 'js' };"),
      "twin.ts": tool("return { data: 'ts' };"),
      "twin.test.ts": "throw new Error('no tool');",
    });
    await open();
    expect(statusOf("file-weather-operations").fault).to.include(
      "already provided by tool-weather-operations",
    );
    expect(statusOf("file-weather-operations").fault).to.include("Rename ");
    expect(statusOf("file-Roll-Dice").fault).to.include("Rename it, as in roll_dice.js.");
    expect(statusOf("file-twin").state).to.equal("running");
    expect(await call("twin")).to.include({ data: "js" });
    const twin = stage!.host.services.system.plugins().find(({ id }) => id === "twin.ts")!;
    expect(twin.fault).to.include("there is another tool of this name").and.include("twin.js");
    const weather = stage!.host.services.system.plugins().find(({ id }) => id === "tool-weather-operations")!;
    expect(weather.state).to.equal("running");
  });

  it("TF7 a file is never run by the host, and a changed one is picked up at the next start", async () => {
    const code = (data: string) => `globalThis.ranInHost = true;\n${tool(`return { data: "${data}" };`)}`;
    write(own, { "word.js": code("old") });
    await open();
    expect(await call("word")).to.include({ data: "old" });
    write(own, { "word.js": code("new") });
    expect(await call("word")).to.include({ data: "old" });
    await open();
    expect(await call("word")).to.include({ data: "new" });
    expect(globalThis).not.to.have.property("ranInHost");
    rmSync(path.join(own, "word.js"));
    await open();
    expect(plugins()).to.deep.equal([]);
  });

  it("TF8 X52 X69 nothing of a folder is read that nobody trusts, and it is said", async () => {
    write(folder, { "word.js": tool("return { data: 1 };") });
    // Who reads this waits for ever.
    execFileSync("mkfifo", [path.join(folder, "trap.js")]);
    await open();
    expect(plugins()).to.deep.equal([]);
    const warning = log.lines.map(({ message }) => message).find((text) => text.includes("are not used"));
    expect(warning)
      .to.include(".pergola/tools/trap.js, .pergola/tools/word.js")
      .and.include("pergola trust ");
    expect(existsSync(path.join(home, "plugins", ".files"))).to.equal(false);
  });

  it("TF9 the tools of a trusted folder are bound to their bytes, until it is trusted again", async () => {
    write(folder, { "word.js": tool("return { data: 'old' };") });
    await trust();
    await open();
    expect(statusOf("file-word")).to.include({ state: "running", pinned: "pinned" });
    expect(statusOf("file-word").digest).to.match(/^[0-9a-f]{64}$/);
    expect(await call("word")).to.include({ data: "old" });
    write(folder, { "word.js": tool("return { data: 'odd' };"), "late.js": tool("return { data: 1 };") });
    await open();
    expect(statusOf("file-word").fault).to.include("has changed since you trusted its folder");
    expect(statusOf("file-late").fault).to.include("has come since you trusted its folder");
    expect(statusOf("file-word").fault).to.include(`pergola trust ${home}`);
    await trust();
    await open();
    expect(await call("word")).to.include({ data: "odd" });
    expect(statusOf("file-late").state).to.equal("running");
  });

  it("TF9 what is wrong with a folder's file is no fault of the person's own of that name", async () => {
    write(folder, { "word.js": tool("return { data: 'folder' };") });
    await trust();
    write(folder, { "word.js": tool("return { data: 'odd' };") });
    write(own, { "word.js": tool("return { data: 'own' };") });
    await open();
    expect(await call("word")).to.include({ data: "own" });
  });

  it("TF10 a file can be switched off, as any plugin", async () => {
    write(own, { "word.js": tool("return { data: 1 };") });
    await open({ disabled: ["file-word"] });
    expect(statusOf("file-word").state).to.equal("disabled");
  });

  it("TF11 a file that was changed is tried again, however often the one before has failed", async () => {
    write(own, { "word.js": tool("process.exit(9);") });
    await open();
    for (let failed = 0; failed < 5; failed += 1) await call("word");
    expect(statusOf("file-word").state).to.equal("left out");
    write(own, { "word.js": tool("return { data: 'mended' };") });
    await open();
    expect(await call("word")).to.include({ data: "mended" });
  });
});
