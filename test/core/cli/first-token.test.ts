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
  before(async function () {
    // Debian: util-linux.
    if (process.platform !== "linux" || spawnSync("script", ["--version"]).status !== 0) this.skip();
    project = await openProject();
    project.settings({ server: { allow_remote: true, allow_plain_http: true } });
  });
  after(() => project?.close());

  /** Starts a service at a terminal. */
  async function start() {
    const port = await freePort();
    const words = [...commandOf("build"), "start", "--port", String(port), "--data", project.data];
    const command = [
      ...words,
      "--settings",
      project.settings({ server: { allow_remote: true, allow_plain_http: true } }),
    ];
    const child = spawn("script", ["-qefc", command.join(" "), "/dev/null"], {
      cwd: project.folder,
      env: project.environment,
    });
    const program = watchProgram(child);
    await program.wrote("stop with Ctrl-C");
    return { port, program };
  }

  it("shows the token, the address and a QR code at a terminal, once, and writes no file", async () => {
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
    expect((await signIn()).status).to.equal(401);
    await program.end();
  });

  it("makes none at the next start", async () => {
    const { program } = await start();
    expect(plain(program.stdout)).to.not.match(/[\da-f-]{73}|#code=/);
    await program.end();
  });
});
