import { expect } from "chai";
import { startTestHost } from "@pergola/sdk/testing";
import { read } from "../architecture/tree.ts";
import { pageReader } from "../support/page-reader.ts";

/** What docs/add-a-tool.md tells its reader to write, written into an empty folder. */
describe("the page on tools (A3)", function () {
  this.timeout(240_000);
  const reader = pageReader("docs/add-a-tool.md");

  it("names each file, and the commands for them", () => {
    expect(reader.files).to.deep.equal([
      "package.json",
      "tsconfig.json",
      "plugin.json",
      "operations/roll.ts",
      "index.ts",
      "pergola.config.json",
      "test/roll.test.ts",
    ]);
    expect(reader.commands).to.include.members(["npm run build", "npx pergola plugins check .", "npm test"]);
  });

  it("A3: shows a configuration with which the types are right, and a mistake is found", async () => {
    const right = reader.read("index.ts");
    reader.write("index.ts", right.replace("description:", "descripton:"));
    const failure = await reader.run("tsc -p . --customConditions source").catch((error: Error) => error);
    reader.write("index.ts", right);
    const faults = (failure as Error).message.match(/^[\w./-]+\.ts(?=\(\d+)/gm);
    expect(faults, String(failure)).to.deep.equal(["index.ts"]);
  });

  it("A1: shows settings, a secret among them, that the host takes", async () => {
    const page = read("docs/add-a-tool.md");
    const [, block = ""] = /```json\n(\{\n {2}"permissions"[^]*?)```/.exec(page) ?? [];
    const plain = reader.read("plugin.json");
    const manifest = { ...(JSON.parse(plain) as object), ...(JSON.parse(block) as object) };
    reader.write("plugin.json", JSON.stringify(manifest));
    await reader.run("npm run build");
    const host = await startTestHost({
      plugins: ["@pergola/bundle-standard", reader.folder],
      settings: { "tools.dice.api_key": { env: "DICE_KEY" } },
      environment: { DICE_KEY: "canary-of-dice" },
    });
    reader.write("plugin.json", plain);
    const { body } = await host.json<{ readonly preferences: object }>("GET", "/api/preferences");
    expect(body.preferences).to.deep.include({ "tools.dice.sides": 6, "tools.dice.api_key": { set: true } });
    await host.stop();
  });

  it("A3: names every member of the context", () => {
    const page = read("docs/add-a-tool.md");
    const [, body = ""] =
      /export interface ToolContext \{([^]*?)\n\}/.exec(read("sdk/contract/context.ts")) ?? [];
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?<(:]/gm)].map(([, name = ""]) => name);
    expect(members.length).to.be.above(15);
    expect(members.filter((name) => !new RegExp(`\`${name}\\b`).test(page))).to.deep.equal([]);
  });

  it("shows tests that pass", async () => {
    const output = await reader.run("npm test");
    expect(output).to.match(/1 passing/);
    expect(output).not.to.contain("failing");
  });

  it("shows a plugin that the host runs in a process of its own", async () => {
    await reader.run("npm run build");
    const host = await startTestHost({ plugins: ["@pergola/bundle-standard", reader.folder] });
    const found = host.services.system.plugins().find(({ id }) => id === "pergola-tool-dice");
    expect(found).to.include({ state: "running", tier: "isolated", fault: null });
    const call = { tool: "dice.roll", arguments: { count: 3, sides: 20 } };
    const { body } = await host.json<{ readonly result: string }>("POST", "/debug/mcp/execute", call);
    expect((JSON.parse(body.result) as { readonly rolls: object }).rolls).to.have.length(3);
    await host.stop();
  });
});
