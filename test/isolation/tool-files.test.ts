import { rmSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { sentBody } from "../support/chat.ts";
import { answer, calling, outcomesOf, pendingIn, play, saying } from "../support/lab-stage.ts";
import { toolFile as tool, ToolFilesScene } from "../support/tool-files-scene.ts";

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

describe("tools in single files", function () {
  this.timeout(60_000);
  let files: ToolFilesScene;
  beforeEach(() => {
    files = new ToolFilesScene();
  });
  afterEach(() => files.end());

  it("TF1 a file of TypeScript and one of JavaScript are tools that a model is offered and calls", async () => {
    files.write(files.own, {
      "roll_dice.ts": dice,
      "greet.js": tool("return { data: `Hello, ${args.name}!` };"),
    });
    await files.open();
    expect(await files.call("roll_dice", { count: 3 })).to.include({ success: true, data: "3" });
    expect(await files.call("greet", { name: "Ada" })).to.include({ success: true, data: "Hello, Ada!" });
    const offered = sentBody(files.stage, 0).tools!.map(({ function: { name } }) => name);
    expect(offered).to.include.members(["roll_dice", "greet"]);
    expect(files.statusOf("file-roll-dice")).to.include({
      state: "running",
      tier: "isolated",
      pinned: "own",
      official: false,
      description: "Roll dice.",
      folder: path.join(files.own, "roll_dice.ts"),
    });
  });

  it("TF2 several operations stand in one file", async () => {
    const operations = ["one", "two"].map(
      (name) => `{ name: "${name}", description: "${name}", effect: "none", parameters: {}, required: [],
        run: async () => ({ data: "${name}" }) }`,
    );
    files.write(files.own, {
      "numbers.js": `export default { description: "Numbers", operations: [${operations.join()}] };`,
    });
    await files.open();
    expect(await files.call("numbers", { operation: "two" })).to.include({ success: true, data: "two" });
    expect(files.statusOf("file-numbers").effects).to.deep.equal({
      numbers: { one: ["none"], two: ["none"] },
    });
  });

  it("TF3 a file that writes asks first, and a changed file is another one to a grant", async () => {
    const more = 'effect: "write", place: "external",';
    files.write(files.own, { "publish.js": tool("return { data: 'published' };", more) });
    await files.open();
    const script = [calling({ name: "publish", arguments: { operation: "run" } }), saying("done")];
    const asked = play(files.stage, script, { conversationId: "asks" });
    const { toolCallId, tool: name, effect } = await pendingIn(files.stage.host, "asks");
    expect({ name, effect }).to.deep.equal({ name: "publish", effect: "write" });
    await answer(files.stage.host, toolCallId, { approved: true });
    await asked;
    expect((await outcomesOf(files.stage.host, "asks")).at(-1)).to.include({
      success: true,
      data: "published",
    });
    const { version } = files.statusOf("file-publish");
    files.write(files.own, { "publish.js": tool("return { data: 'printed' };", more) });
    await files.open();
    expect(files.statusOf("file-publish").version).not.to.equal(version);
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
    files.write(files.own, {
      "closed.js": tool(tries, fields),
      "open.js": tool(tries, `${fields} permissions: { files: "workspace" },`),
    });
    await files.open();
    const outcomes = async (name: string) =>
      JSON.parse((await files.call(name)).data ?? "{}") as Readonly<Record<string, string>>;
    const closed = await outcomes("closed");
    expect(Object.values(closed).filter((outcome) => outcome.startsWith("DONE"))).to.deep.equal([]);
    expect(closed).to.include({ door: "permission_denied", network: "permission_denied" });
    const opened = await outcomes("open");
    expect(opened).to.include({ door: "DONE written", read: "DONE x", network: "permission_denied" });
    expect(opened["self"]).not.to.include("DONE");
    expect(files.statusOf("file-open").permissions).to.deep.equal({ files: "workspace" });
  });

  it("TF4 the memory that a file asks for is that of its process", async () => {
    files.write(files.own, {
      "small.js": tool(
        "return { data: process.execArgv.join(' ') };",
        "permissions: { memoryMegabytes: 64 },",
      ),
    });
    await files.open();
    expect((await files.call("small")).data).to.include("--max-old-space-size=32");
  });

  it("TF7 a file is never run by the host, and a changed one is picked up at the next start", async () => {
    const code = (data: string) => `globalThis.ranInHost = true;\n${tool(`return { data: "${data}" };`)}`;
    files.write(files.own, { "word.js": code("old") });
    await files.open();
    expect(await files.call("word")).to.include({ data: "old" });
    files.write(files.own, { "word.js": code("new") });
    expect(await files.call("word")).to.include({ data: "old" });
    await files.open();
    expect(await files.call("word")).to.include({ data: "new" });
    expect(globalThis).not.to.have.property("ranInHost");
    rmSync(path.join(files.own, "word.js"));
    await files.open();
    expect(files.plugins()).to.deep.equal([]);
  });

  it("TF9 the tools of a trusted folder are bound to their bytes, until it is trusted again", async () => {
    files.write(files.folder, { "word.js": tool("return { data: 'old' };") });
    await files.trust();
    await files.open();
    expect(files.statusOf("file-word")).to.include({ state: "running", pinned: "pinned" });
    expect(files.statusOf("file-word").digest).to.match(/^[0-9a-f]{64}$/);
    expect(await files.call("word")).to.include({ data: "old" });
    files.write(files.folder, {
      "word.js": tool("return { data: 'odd' };"),
      "late.js": tool("return { data: 1 };"),
    });
    await files.open();
    expect(files.statusOf("file-word").fault).to.include("has changed since you trusted its folder");
    expect(files.statusOf("file-late").fault).to.include("has come since you trusted its folder");
    expect(files.statusOf("file-word").fault).to.include(`pergola trust ${files.home}`);
    await files.trust();
    await files.open();
    expect(await files.call("word")).to.include({ data: "odd" });
    expect(files.statusOf("file-late").state).to.equal("running");
  });

  it("TF10 a file can be switched off, as any plugin", async () => {
    files.write(files.own, { "word.js": tool("return { data: 1 };") });
    await files.open({ disabled: ["file-word"] });
    expect(files.statusOf("file-word").state).to.equal("disabled");
  });

  it("TF11 a file that was changed is tried again, however often the one before has failed", async () => {
    files.write(files.own, { "word.js": tool("process.exit(9);") });
    await files.open();
    for (let failed = 0; failed < 5; failed += 1) await files.call("word");
    expect(files.statusOf("file-word").state).to.equal("left out");
    files.write(files.own, { "word.js": tool("return { data: 'mended' };") });
    await files.open();
    expect(await files.call("word")).to.include({ data: "mended" });
  });
});
