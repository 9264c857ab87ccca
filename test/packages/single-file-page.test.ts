import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startTestHost, temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { read } from "../architecture/tree.ts";
import { pageReader } from "../support/page-reader.ts";

interface Executed {
  readonly success: boolean;
  readonly result: string;
}

/** What docs/single-file-tools.md tells its reader to put into a folder. */
describe("the page on tools in single files", function () {
  this.timeout(120_000);
  const page = read("docs/single-file-tools.md");
  const blocks = [...page.matchAll(/```(ts|js)\n([^]*?)```/g)].map(([, kind = "", text = ""]) => ({
    kind,
    text,
  }));

  it("shows files that the host takes as they stand", async () => {
    const home = temporaryFolder("pergola-page-");
    const tools = path.join(home, ".config", "pergola", "tools");
    mkdirSync(tools, { recursive: true });
    const names = ["roll_dice.ts", "greet.js", "address.js"];
    expect(blocks).to.have.length(names.length);
    for (const [at, name] of names.entries()) writeFileSync(path.join(tools, name), blocks[at]!.text);
    const host = await startTestHost({
      dataDirectory: home,
      settings: { "plugins.require_sandbox": false },
    });
    const execute = async (tool: string, args: object): Promise<Executed> => {
      const body = { tool, arguments: { operation: "run", ...args } };
      return (await host.json<Executed>("POST", "/debug/mcp/execute", body)).body;
    };
    try {
      const files = host.services.system.plugins().filter(({ id }) => id.startsWith("file-"));
      expect(files.map(({ id, state }) => `${id} ${state}`)).to.have.members([
        "file-roll-dice running",
        "file-greet running",
        "file-address running",
      ]);
      expect(files.find(({ id }) => id === "file-address")!.permissions).to.deep.equal({
        network: ["api.ipify.org"],
      });
      const rolled = await execute("roll_dice", { count: 3 });
      expect(JSON.stringify(rolled)).to.match(/rolls/);
      expect(JSON.stringify(await execute("greet", { name: "Ada" }))).to.include("Hello, Ada!");
    } finally {
      await host.stop();
    }
  });

  it("shows TypeScript whose types are right, and a mistake is found", async () => {
    const reader = pageReader("docs/single-file-tools.md");
    const { text } = blocks.find(({ kind }) => kind === "ts")!;
    reader.write("roll_dice.ts", text);
    expect(await reader.typeFaults("roll_dice.ts")).to.deep.equal([]);
    reader.write("roll_dice.ts", text.replace("effect:", "efect:"));
    expect(await reader.typeFaults("roll_dice.ts")).not.to.deep.equal([]);
  });
});
