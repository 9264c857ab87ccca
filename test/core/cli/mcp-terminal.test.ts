import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { root } from "../../architecture/tree.ts";
import { needTerminal, playAtTerminal } from "../../support/at-terminal.ts";
import { openProject, type Project } from "../../support/pergola.ts";

const servers = path.join(root, "plugins/bridge-mcp-client/test/servers");
const [enter, down, tab, leave] = ["\r", "\u001b[B", "\t", "\u0004"];

describe("MCP servers at a terminal", function () {
  this.timeout(60_000);
  let project: Project;
  before(function () {
    needTerminal(this);
  });
  beforeEach(async () => {
    project = await openProject(chatReply({ text: "Explained." }));
  });
  afterEach(() => project.close());

  it("complete their prompts as commands, ask for what these need, and list them", async () => {
    const starts = path.join(project.folder, "starts");
    const wiki = {
      command: process.execPath,
      args: [path.join(servers, "prompt-server.mjs")],
      env: { STARTS: starts },
    };
    const settings = project.settings({ mcp: { servers: { wiki } } });
    const again = { ...project, settings: () => settings };
    const { code, screen } = await playAtTerminal(
      again,
      ["chat"],
      [
        ["> ", `/prompts${enter}`],
        ["/wiki:greet  Greet.", `/wiki:pa${tab}${enter}`],
        ["title: Of the page", `The "home" page${enter}`],
        ["Explained.", `/wiki:page Start de${enter}`],
        ["Explained.", `/wiki:paeg${enter}`],
        ['Did you mean "/wiki:page"?', leave],
      ],
    );
    expect(code, screen).to.equal(0);
    expect(screen).to.include("/wiki:page <title> [language]  Explain a page.");
    const asked = readFileSync(starts, "utf8").split("\n");
    expect(asked).to.include('page The "home" page').and.include("page Start");
    const sent = JSON.stringify((await project.model.request(0)).body);
    expect(sent).to.include(JSON.stringify('/wiki:page "The \\"home\\" page"').slice(1, -1));
    expect(sent).to.include("mcp_prompt");
  });

  it("are taken over with the values that their file asks for, secrets typed unseen", async () => {
    const file = path.join(project.folder, "mcp.json");
    const gh = {
      command: process.execPath,
      args: [path.join(servers, "sample-server.mjs"), "${input:team}"],
      env: { THE_TOKEN: "${input:token}" },
    };
    const inputs = [
      { id: "team", type: "pickString", description: "Your team", options: ["red", "blue"] },
      { id: "token", type: "promptString", description: "A token", password: true },
    ];
    writeFileSync(file, JSON.stringify({ servers: { gh }, inputs }));
    const settings = project.settings({ "secrets.store": "file" });
    const again = { ...project, settings: () => settings };
    const { code, screen } = await playAtTerminal(
      again,
      ["mcp", "import", file, "--yes"],
      [
        ["Your team", down + enter],
        ["A token", `the-token-of-gh${enter}`],
      ],
    );
    expect(code, screen).to.equal(0);
    expect(screen).to.include('"blue"').and.include("Added gh.").and.not.include("the-token");
    const alone = await project.run(["mcp", "import", file, "--json"], {});
    expect(alone.stdout + alone.stderr).to.include("import it at a terminal");
    const { stdout } = await project.run(["mcp", "show", "gh", "--json"]);
    expect(JSON.parse(stdout)).to.deep.include({ secrets: ["THE_TOKEN"] });
    expect((JSON.parse(stdout) as { args: readonly string[] }).args[1]).to.equal("blue");
  });
});
