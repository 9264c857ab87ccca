import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect } from "chai";
import { commandOf, freePort, openProject, watchProgram, type Project } from "../../support/pergola.ts";

/** Without the signs that colour a terminal. */
const plain = (text: string): string => stripVTControlCharacters(text).replaceAll("\r", "");

describe("the first start that lets other devices in", function () {
  this.timeout(60_000);
  let project: Project;
  let disabled: string[] = [];
  beforeEach(async function () {
    // Debian: util-linux.
    if (process.platform !== "linux" || spawnSync("script", ["--version"]).status !== 0) this.skip();
    project = await openProject();
    disabled = ["endpoint-web"];
  });
  afterEach(() => project?.close());
  /** Starts a service at a terminal. */
  async function start() {
    const port = await freePort();
    const words = [...commandOf("build"), "start", "--port", String(port), "--data", project.data];
    const command = [
      ...words,
      "--settings",
      project.settings({ disabled, server: { allow_remote: true, allow_plain_http: true } }),
    ];
    const child = spawn("script", ["-qefc", command.join(" "), "/dev/null"], {
      cwd: project.folder,
      env: project.environment,
    });
    const program = watchProgram(child);
    await program.wrote("stop with Ctrl-C");
    return { port, program };
  }

  it("shows the token and a line to try it where there is no page, and makes no second one", async () => {
    const { port, program } = await start();
    await program.wrote("pergola tokens add");
    const text = plain(program.stdout);
    const [, address = "", token = ""] =
      /curl (\S+)\/api\/models -H "Authorization: Bearer ([\da-f-]{73})"/.exec(text) ?? [];
    expect(address, text).to.match(new RegExp(`^http://.*:${port}$`));
    const ends = new Date(Date.now() + 90 * 86_400_000).toLocaleString("sv-SE").slice(0, 10);
    expect(text).to.include(`valid       until ${ends}`);
    expect(text).to.not.match(/[█▀▄]{20}|#code=/);
    const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": "203.0.113.9" };
    expect((await fetch(`${address}/api/models`, { headers })).status).to.equal(200);
    await program.end();
    const { program: next } = await start();
    expect(plain(next.stdout)).to.not.match(/[\da-f-]{73}/);
    await next.end();
  });

  it("shows a QR code too where there is a page, and writes no file", async () => {
    disabled = [];
    const { port, program } = await start();
    await program.wrote("pergola tokens add");
    const text = plain(program.stdout);
    const [, token = ""] = /token +([\da-f-]{73})\s/.exec(text) ?? [];
    const [link = "", address = "", code = ""] = /(http:\/\/[^\s/]+)\/#code=([\w-]+)/.exec(text) ?? [];
    expect(link, text).to.include(`:${port}/#code=`);
    expect(text).to.match(/[█▀▄]{20}/);
    expect(existsSync(path.join(project.data, "first-token"))).to.equal(false);
    const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": "203.0.113.9" };
    expect((await fetch(`${address}/api/models`, { headers })).status).to.equal(200);
    const signIn = (): Promise<Response> =>
      fetch(`${address}/api/session`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.9" },
        body: JSON.stringify({ code }),
      });
    const first = await signIn();
    expect(first.status).to.equal(200);
    expect(((await first.json()) as { scopes: string[] }).scopes).to.not.include("admin");
    const second = await signIn();
    expect(second.status).to.equal(401);
    expect(await second.text())
      .to.include("pergola tokens add <name> --link")
      .and.not.include("pergola open");
    await program.end();
  });
});
