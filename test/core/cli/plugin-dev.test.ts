import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { needsSandbox } from "../../boundary/support/program-stage.ts";
import { openProject, type Project } from "../../support/pergola.ts";
import { writePlugin } from "../../support/plugins/write-plugin.ts";

const operation = (name: string, effect: string, body: string, more = ""): string =>
  `{ name: "${name}", description: "d", effect: "${effect}", place: "external", required: [],
     parameters: { sides: { type: "integer" } }, async run({ sides }, context) { ${body} }, ${more} }`;
const dice = (sum: number, more = ""): string => `
export default { description: "Dice", operations: [
  ${operation("roll", "none", `context.log.debug({ sides }, "It rolls"); console.log("plain words"); return { data: { sum: ${sum} } };`, more)},
  ${operation("lend", "write", 'return { data: "lent" };')},
] };`;
const letter = `
export default {
  description: "Send a letter.", effect: "write", place: "external", parameters: { to: { type: "string" } },
  run: async ({ to }: { readonly to: string }) => ({ data: "sent to " + to }),
};`;
const route = `
import { words } from "./words.js";
export default { endpoints: [{ group: "hello", routes: [
  { method: "GET", path: "/api/hello", scope: "read", summary: "Says it", handle: () => ({ body: { words } }) },
] }] };`;

/** The commands of docs/plugins.md, "Run it while you write it". */
describe("pergola plugins dev", function () {
  this.timeout(180_000);
  let project: Project;
  before(async () => {
    project = await openProject();
  });
  after(() => project.close());
  const save = (file: string, text: string): string => {
    const full = path.join(project.folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  };

  it("calls one operation and ends, as JSON for programs", async function () {
    needsSandbox.call(this);
    const file = save("send_letter.ts", letter);
    const words = ["plugins", "dev", file, "--call", "send_letter.run to=Ada", "--yes", "--json"];
    const { code, stdout, stderr } = await project.run(words, { bare: true });
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.include({
      operation: "send_letter.run",
      effect: "write",
      decision: "made in your own name, without a question",
      result: "sent to Ada",
    });
  });

  it("says of a folder without a plugin what it lacks, and how to make one", async () => {
    const { code, stderr } = await project.run(["plugins", "dev", project.folder], { bare: true });
    expect(code).to.equal(2);
    expect(stderr).to.include("it has no plugin.json").and.include("pergola plugins new");
  });

  it("loads a file again when it is saved, and keeps the last good version", async function () {
    needsSandbox.call(this);
    const file = save("roll_dice.js", dice(7));
    const dev = project.begin(["plugins", "dev", file], { bare: true });
    await dev.wrote("Loaded file-roll-dice");
    dev.child.stdin?.write('call roll {"sides": 6}\n');
    await dev.wrote('{"sum":7}');
    expect(dev.stderr).to.include("roll_dice.roll: effect none, allowed without a question");
    dev.child.stdin?.write("call lend sides=6\n");
    await dev.wrote("roll_dice.lend: effect write, asks for your approval");
    await dev.wrote("Add --yes");
    expect(dev.stderr).to.include("sides: 6");
    await dev.wrote("[file-roll-dice] It rolls sides=6 callId=");
    await dev.wrote("[file-roll-dice] plain words\n");
    save("roll_dice.js", dice(8, 'recovery: "twice"'));
    await dev.wrote("recovery must be one of repeat, reconcile, once");
    await dev.wrote("The last good version runs on.");
    dev.child.stdin?.write("list\ncall roll_dice.roll\nlost\n");
    await dev.wrote('There is no "lost"');
    while (dev.stdout.match(/\{"sum":7\}/g)?.length !== 2) await pause();
    expect(dev.stdout).to.include("roll_dice.roll none\nroll_dice.lend write\n");
    save("roll_dice.js", dice(9));
    const [, data = ""] = /--data (\S+)/.exec(dev.stderr) ?? [];
    while (dev.stderr.split("Loaded file-roll-dice").length < 3) await dev.wrote("Loaded").then(pause);
    dev.child.stdin?.write("call roll\n");
    await dev.wrote('{"sum":9}');
    expect(existsSync(data)).to.equal(true);
    expect([await dev.end("SIGINT"), existsSync(data)]).to.deep.equal([0, false]);
  });

  it("builds a package and loads all its code again, in the same process and at the same address", async () => {
    const copy = `const fs = require("node:fs"); fs.cpSync("src", "dist", { recursive: true })`;
    const folder = writePlugin(project.folder, {
      id: "endpoint-hello",
      kind: "endpoint",
      provides: { endpoints: ["GET /api/hello"] },
      package: { main: "dist/index.js", scripts: { build: `node -e '${copy}'` } },
    });
    save("endpoint-hello/src/index.js", route);
    save("endpoint-hello/src/words.js", 'export const words = "one";');
    const dev = project.begin(["plugins", "dev", folder, "--trusted"], { bare: true });
    await dev.wrote("Ctrl-C ends it");
    const [, url = ""] = /serves on (\S+);/.exec(dev.stderr) ?? [];
    const words = async (): Promise<unknown> => (await fetch(`${url}/api/hello`)).json();
    expect(await words()).to.deep.equal({ words: "one" });
    dev.child.stdin?.write("list\n");
    await dev.wrote("GET /api/hello\n");
    save("endpoint-hello/src/words.js", 'export const words = "two";');
    while (dev.stderr.split("Loaded endpoint-hello").length < 3) await dev.wrote("Loaded").then(pause);
    expect(await words()).to.deep.equal({ words: "two" });
    expect(await dev.end("SIGINT")).to.equal(0);
    expect(existsSync(path.join(folder, "node_modules"))).to.equal(false);
    expect(readFileSync(path.join(folder, "dist", "words.js"), "utf8")).to.include("two");
  });

  it("takes settings, so that a plugin may stand in for one of ours", async () => {
    const code = "export default { parts: { todos: () => ({ list: async () => [] }) } };";
    const provides = { parts: ["todos"] };
    const folder = writePlugin(project.folder, { id: "service-todos", kind: "service", provides, code });
    const file = save("dev-settings.json", JSON.stringify({ disabled: ["tool-todo-operations"] }));
    const words = ["plugins", "dev", folder, "--trusted", "--settings", file];
    const dev = project.begin(words, { bare: true });
    await dev.wrote("Loaded service-todos");
    dev.child.stdin?.write("list\n");
    await dev.wrote("It has no operations and no routes.");
    expect(await dev.end("SIGINT")).to.equal(0);
  });
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
