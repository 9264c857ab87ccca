import { expect } from "chai";
import { startTestHost } from "@pergola/sdk/testing";
import { pageReader } from "../support/page-reader.ts";

/** What docs/add-a-tool.md tells its reader to write, written into an empty folder. */
describe("the page on tools", function () {
  this.timeout(120_000);
  const reader = pageReader("docs/add-a-tool.md");

  it("names each file, and the commands for them", () => {
    expect(reader.files).to.deep.equal([
      "package.json",
      "plugin.json",
      "operations/roll.ts",
      "index.ts",
      "pergola.config.json",
      "test/roll.test.ts",
    ]);
    expect(reader.commands).to.include.members(["npm run build", "npx pergola plugins check .", "npm test"]);
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
