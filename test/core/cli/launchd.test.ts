import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { leftOf } from "../../support/descendants.ts";
import { needPython } from "../../support/need-python.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

/** Has the command take this system for macOS. */
const asOnMac = "--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'darwin'})";

describe("pergola service, with launchd", function () {
  this.timeout(60_000);
  let project: Project;
  let home: string;
  let launchd: string;
  let port: number;

  before(function () {
    needPython(this, "the tests of launchd");
  });
  beforeEach(async () => {
    project = await openProject();
    home = project.environment["HOME"]!;
    launchd = path.join(home, "launchd");
    for (const folder of [launchd, path.join(home, "Library/Logs")]) mkdirSync(folder, { recursive: true });
    copyFileSync(
      path.resolve(import.meta.dirname, "../../support/launchctl.py"),
      path.join(launchd, "launchctl"),
    );
    chmodSync(path.join(launchd, "launchctl"), 0o755);
    port = await freePort();
  });
  afterEach(async () => {
    const { server, pid } = agent() ?? {};
    for (const each of [server, pid]) if (each) process.kill(each, "SIGKILL");
    await project.close();
  });

  const agent = (): { readonly server: number; readonly pid: number } | undefined => {
    const file = path.join(launchd, "agent.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as never) : undefined;
  };
  const asked = (): readonly string[] =>
    readFileSync(path.join(launchd, "asked"), "utf8")
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith("print "));
  const plist = (): string => path.join(home, "Library/LaunchAgents/pergola.plist");
  const domain = `gui/${process.getuid?.()}`;

  const service = (word: string, ...more: readonly string[]) =>
    project.run(["service", word, ...more], {
      environment: {
        PATH: `${launchd}:${project.environment["PATH"]}`,
        LAUNCHD: launchd,
        NODE_OPTIONS: asOnMac,
        OPENAI_API_KEY: "sk-of-mine",
      },
    });
  const install = () => service("install", "--port", String(port));
  const answers = async (): Promise<void> => {
    for (;;) {
      const { status } = await fetch(`http://127.0.0.1:${port}/health`).catch(() => ({ status: 0 }));
      if (status === 200) return;
      await sleep(50);
    }
  };

  it("installs an agent that runs the service, tells its state, and removes it again", async () => {
    const installed = await install();
    expect(installed.code, installed.stderr).to.equal(0);
    expect(installed.stdout).to.include(plist()).and.include("Library/Logs/pergola.log");
    await answers();
    expect(asked()).to.deep.equal([`enable ${domain}/pergola`, `bootstrap ${domain} ${plist()}`]);
    expect(readFileSync(plist(), "utf8")).not.to.include("sk-of-mine");
    expect(JSON.parse((await service("status", "--json")).stdout)).to.deep.equal({
      installed: true,
      running: true,
      file: plist(),
    });
    const { pid } = agent()!;
    expect((await service("uninstall")).code).to.equal(0);
    expect(asked().at(-1)).to.equal(`bootout ${domain}/pergola`);
    expect([existsSync(plist()), await leftOf([pid])]).to.deep.equal([false, []]);
    expect(readFileSync(path.join(home, "Library/Logs/pergola.log"), "utf8")).to.include("serving");
    expect((await service("status")).code).to.equal(1);
  });

  it("is started again by launchd after a crash", async () => {
    await install();
    await answers();
    const { pid } = agent()!;
    process.kill(pid, "SIGKILL");
    await leftOf([pid]);
    await answers();
    expect(agent()!.pid).to.not.equal(pid);
  });

  it("takes over new options once the old service has ended, though it was disabled meanwhile", async () => {
    await install();
    await answers();
    const { pid } = agent()!;
    writeFileSync(path.join(launchd, "disabled"), "");
    port = await freePort();
    expect((await install()).code).to.equal(0);
    await answers();
    expect([agent()!.pid === pid, await leftOf([pid])]).to.deep.equal([false, []]);
  });

  it("says what launchd says where it cannot be started", async () => {
    writeFileSync(path.join(launchd, "launchctl"), "#!/bin/sh\necho 'Bootstrap failed: 5: No' >&2\nexit 5\n");
    const installed = await install();
    expect(installed.code).to.equal(1);
    expect(installed.stderr).to.include(plist()).and.include("5: No");
  });
});
