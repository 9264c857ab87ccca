import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

describe("pergola open", function () {
  this.timeout(60_000);
  let project: Project;
  let port: number;
  let opened: string;
  let environment: Readonly<Record<string, string>>;

  beforeEach(async function () {
    if (process.platform !== "linux") this.skip();
    project = await openProject();
    port = await freePort();
    opened = path.join(project.folder, "opened");
    const programs = path.join(project.folder, "programs");
    mkdirSync(programs);
    const browser = path.join(programs, "xdg-open");
    writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$*" > ${opened}.new\nmv ${opened}.new ${opened}\n`);
    chmodSync(browser, 0o755);
    environment = { PATH: `${programs}:${project.environment["PATH"] ?? ""}` };
  });
  afterEach(() => project?.close());

  const serve = async (settings: Parameters<Project["settings"]>[0] = {}): Promise<void> => {
    project.settings(settings);
    await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
  };
  /** What the browser was started with. */
  const argument = async (): Promise<string> => {
    while (!existsSync(opened)) await sleep(20);
    return readFileSync(opened, "utf8");
  };

  it("opens the page of the service on this data", async () => {
    await serve();
    const { code, stderr } = await project.run(["open"], { environment });
    expect(code, stderr).to.equal(0);
    expect(await argument()).to.equal(`http://127.0.0.1:${port}/`);
  });

  it("says that there is no page where nothing serves one, and starts no browser", async () => {
    await serve({ disabled: ["endpoint-web"] });
    const { code, stdout, stderr } = await project.run(["open"], { environment });
    expect([code, stdout]).to.deep.equal([1, ""]);
    expect(stderr).to.include("no page for browsers").and.include("pergola chat");
    expect(existsSync(opened)).to.equal(false);
  });

  it("says how to start one where none runs, and starts none", async () => {
    const { code, stderr } = await project.run(["open"], { environment });
    expect(code).to.equal(3);
    expect(stderr).to.include("pergola start");
    expect(existsSync(opened)).to.equal(false);
  });

  it("prints the address alone with --print, and where no browser starts", async () => {
    await serve();
    const printed = await project.run(["open", "--print"], { environment });
    expect([printed.code, printed.stdout]).to.deep.equal([0, `http://127.0.0.1:${port}/\n`]);
    const without = await project.run(["open"], { environment: { PATH: "/nowhere" } });
    expect(without.code).to.equal(1);
    expect(without.stderr).to.include(`http://127.0.0.1:${port}/`);
  });

  it("signs in by a code that works once, and that no other account sees, where a token is needed", async () => {
    await serve({ "auth.loopback": "token" });
    const { code, stderr } = await project.run(["open"], { environment });
    expect(code, stderr).to.equal(0);
    const target = await argument();
    expect(target).to.match(/^file:\/\/.*open\.html$/);
    const file = fileURLToPath(target);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const [, address = "", secret = ""] =
      /url=(http:[^"#]*)#code=([^"]+)"/.exec(readFileSync(file, "utf8")) ?? [];
    expect(address).to.equal(`http://127.0.0.1:${port}/`);
    const signIn = (): Promise<Response> =>
      fetch(`${address}api/session`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: `http://127.0.0.1:${port}` },
        body: JSON.stringify({ code: decodeURIComponent(secret) }),
      });
    const first = await signIn();
    expect(first.status, await first.clone().text()).to.equal(200);
    expect((await signIn()).status).to.equal(401);
  });
});
