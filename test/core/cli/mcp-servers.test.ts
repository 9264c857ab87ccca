import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { root } from "../../architecture/tree.ts";
import { openOAuthMcpServer, type OAuthMcpServer } from "../../support/oauth-mcp-server.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

const sample = path.join(root, "plugins/bridge-mcp-client/test/servers/sample-server.mjs");

interface Shown {
  readonly name: string;
  readonly state: string;
  readonly signedIn: boolean;
  readonly tools: readonly { readonly name: string }[];
  readonly nextSteps: readonly string[];
}

describe("pergola mcp list, show, remove, sign-in and sign-out", function () {
  this.timeout(60_000);
  let project: Project;
  let remote: OAuthMcpServer;
  /** Where a browser stands that follows what it is sent to, and where it notes that. */
  let browser: string;
  const visited = (): string => path.join(project.folder, "visited");
  beforeEach(async () => {
    remote = await openOAuthMcpServer();
    project = await openProject();
    project.settings({ "secrets.store": "file" });
    browser = path.join(project.folder, "bin");
    mkdirSync(browser);
    const program = path.join(browser, "xdg-open");
    const follow = `fetch(process.argv[2]).then(async (a) => (await a.text(), require("fs").writeFileSync(${JSON.stringify(visited())}, a.url)))`;
    writeFileSync(program, `#!${process.execPath}\n${follow}\n`);
    chmodSync(program, 0o755);
    await project.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
  });
  afterEach(async () => {
    await project.close();
    remote.close();
  });

  const mcp = (...words: readonly string[]) => project.run(["mcp", ...words]);
  const shown = async (...words: readonly string[]): Promise<Shown> =>
    JSON.parse((await mcp("show", ...words, "--json")).stdout) as Shown;
  const take = async (mcpServers: object): Promise<void> => {
    const file = path.join(project.folder, "mcp.json");
    writeFileSync(file, JSON.stringify({ mcpServers }));
    expect((await mcp("import", file, "--yes")).code).to.equal(0);
  };

  it("tell how each is, why one fails, and what to do next", async () => {
    expect((await mcp("list")).stdout)
      .to.include("There are no MCP servers.")
      .and.include("mcp import");
    await take({
      sample: { command: process.execPath, args: [sample], env: { A_KEY: "the-value-of-it" } },
      gone: { command: "/no/such/program" },
      astray: { command: process.execPath, cwd: "/no/such/folder" },
      off: { command: "x", disabled: true },
    });
    const checked = await mcp("show", "sample", "--check");
    expect([checked.code, checked.stderr]).to.deep.equal([
      0,
      "Models see the difference once the service has been started again.\n",
    ]);
    expect(checked.stdout)
      .to.include("✓ sample runs, 13 tools, not sandboxed")
      .and.include("secrets: A_KEY")
      .and.include("wipe (destructive)  Remove everything.")
      .and.not.include("the-value");
    const gone = await mcp("show", "gone", "--check");
    expect([gone.code, gone.stdout.includes("There is no such program: /no/such/program")]).to.deep.equal([
      1,
      true,
    ]);
    expect(gone.stderr).to.include("Correct its entry on the page (pergola open, MCP servers), then:");
    const astray = await mcp("show", "astray", "--check");
    expect(astray.stdout).to.include("Its working folder is not there: /no/such/folder");
    const { stdout, stderr } = await mcp("list");
    expect(stdout)
      .to.include("✓ sample runs, 13 tools")
      .and.include("✗ gone cannot be used, 0 tools, not sandboxed: ")
      .and.include("· off is switched off");
    expect(stderr).to.include("pergola mcp show gone").and.not.include("show sample");
    expect(await shown("sample")).to.deep.include({ name: "sample", state: "ready" });
    const missing = await mcp("show", "sampel");
    expect([missing.code, missing.stderr.includes('Did you mean "sample"?')]).to.deep.equal([2, true]);
  });

  it("remove one after a yes alone", async () => {
    await take({ gone: { command: "/no/such/program" } });
    const unasked = await mcp("remove", "gone");
    expect([unasked.code, unasked.stderr.includes("--yes")]).to.deep.equal([2, true]);
    const removed = await mcp("remove", "gone", "--yes", "--json");
    expect([removed.code, removed.stdout]).to.deep.equal([0, '{"name":"gone","removed":true}\n']);
    expect((await mcp("list")).stdout).to.include("There are no MCP servers.");
    expect((await mcp("remove", "gone", "--yes")).code).to.equal(2);
  });

  it("name the settings file for what is set there", async () => {
    const other = await openProject();
    try {
      other.settings({ mcp: { servers: { gone: { command: "/no/such/program" } } } });
      await other.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
      const { code, stderr } = await other.run(["mcp", "remove", "gone", "--yes"]);
      expect([code, stderr.includes("the settings file sets mcp.servers")]).to.deep.equal([2, true]);
      expect((await other.run(["mcp", "show", "gone"])).stderr).to.include("in the settings file, then:");
    } finally {
      await other.close();
    }
  });

  it("lead the browser to a sign-in, wait for its end, and give it up", async () => {
    await take({ wiki: { url: remote.url } });
    expect((await mcp("show", "wiki", "--check")).stderr).to.include("Sign in: pergola mcp sign-in wiki");
    const environment = { PATH: `${browser}:${process.env["PATH"] ?? ""}` };
    const signedIn = await project.run(["mcp", "sign-in", "wiki"], { environment });
    expect([signedIn.code, signedIn.stdout], signedIn.stderr).to.deep.equal([
      0,
      `✓ wiki runs, 1 tool\n  calls: ${remote.url}\n  you are signed in\n  who (execute)  Say who asks.\n`,
    ]);
    while (!existsSync(visited())) await setTimeout(10);
    expect(readFileSync(visited(), "utf8")).to.include("/api/mcp/oauth/callback");
    const again = await mcp("sign-in", "wiki");
    expect([again.code, again.stderr.includes("asks for no sign-in now")]).to.deep.equal([0, true]);
    const out = await mcp("sign-out", "wiki");
    expect([out.code, out.stdout]).to.deep.equal([0, "You are signed out: wiki\n"]);
    expect((await mcp("sign-out", "wiki")).stdout).to.include("You were not signed in");
    expect(await shown("wiki")).to.include({ signedIn: false });
  });

  it("print the address of a sign-in for another browser, and end with what came of it", async () => {
    await take({ wiki: { url: remote.url } });
    const waiting = project.begin(["mcp", "sign-in", "wiki", "--print", "--json"]);
    await waiting.wrote("Open this address: ");
    await waiting.wrote("\n");
    const [, address = ""] = /address: (\S+)/.exec(waiting.stderr) ?? [];
    remote.rules.isDenied = true;
    await (await fetch(address)).text();
    expect(await waiting.ended).to.equal(1);
    expect(JSON.parse(waiting.stdout)).to.include({ name: "wiki", state: "failed", signedIn: false });
    const stopped = project.begin(["mcp", "sign-in", "wiki", "--print"]);
    await stopped.wrote("Open this address: ");
    expect(await stopped.end("SIGINT")).to.equal(130);
  });
});
