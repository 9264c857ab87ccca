import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { launchdAgent } from "../../../core/cli/login-service/launchd.ts";
import { systemdUnit } from "../../../core/cli/login-service/systemd.ts";
import { root } from "../../architecture/tree.ts";
import { needPython } from "../../support/need-python.ts";

const main = path.join(root, "core/command.ts");
const source = ["--conditions=source", "--import", import.meta.resolve("tsx"), main];
const strange = ["/bin/echo", 'a "quoted" word', "100%", "back\\slash", "$HOME", "<&>", "two  spaces"];

const systemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

describe("pergola service", function () {
  this.timeout(60_000);
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), "pergola-login-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  /** Runs a command with a `systemctl` that only writes down what it is asked, and ends with this code. */
  async function pergola(words: readonly string[], code = 0) {
    const systemctl = path.join(home, "systemctl");
    writeFileSync(
      systemctl,
      `#!/bin/sh\necho "$@" >> "${home}/asked"\n[ "$2" = is-active ] && echo active\nexit ${code}\n`,
    );
    chmodSync(systemctl, 0o755);
    const env = {
      HOME: home,
      PATH: `${home}:${process.env["PATH"]}`,
      OPENAI_API_KEY: "sk-of-mine",
    };
    const run = promisify(execFile)(process.execPath, [...source, "service", ...words], {
      env,
      cwd: home,
    });
    return run.then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: { code: number; stderr: string; stdout: string }) => ({
        code: error.code,
        text: error.stdout + error.stderr,
      }),
    );
  }
  const asked = (): readonly string[] => readFileSync(path.join(home, "asked"), "utf8").trim().split("\n");
  const unit = (): string => path.join(home, ".config/systemd/user/pergola.service");

  it("installs a unit without any key, starts it, tells its state, and removes it again", async function () {
    if (process.platform !== "linux") this.skip();
    const installed = await pergola(["install", "--settings", "mine.json", "--port", "8123"]);
    expect(installed).to.include({ code: 0 });
    expect(installed.text).to.include(unit()).and.include("enable-linger");
    const text = readFileSync(unit(), "utf8");
    expect(text).to.include(`"--settings" "${home}/mine.json" "--port" "8123"`).and.not.include("sk-of-mine");
    expect(asked()).to.deep.equal([
      "--user daemon-reload",
      "--user enable pergola.service",
      "--user restart pergola.service",
    ]);
    const status = await pergola(["status", "--json"]);
    expect(JSON.parse(status.text)).to.deep.equal({ installed: true, running: true, file: unit() });
    expect((await pergola(["uninstall"])).code).to.equal(0);
    expect(existsSync(unit())).to.equal(false);
    expect(asked().slice(-2)).to.deep.equal(["--user disable --now pergola.service", "--user daemon-reload"]);
    expect(await pergola(["status"])).to.include({ code: 1 });
  });

  it("says what systemd says where it cannot be started", async function () {
    if (process.platform !== "linux") this.skip();
    const installed = await pergola(["install"], 1);
    expect(installed.code).to.equal(1);
    expect(installed.text).to.include(unit()).and.include("systemctl --user daemon-reload");
  });

  it("writes a unit that systemd accepts, whatever its words (systemd-analyze, package systemd)", async function () {
    if (!systemd && process.env["PERGOLA_REQUIRE_ALL"] !== "1") this.skip();
    const file = path.join(home, "pergola.service");
    writeFileSync(file, systemdUnit({ words: strange, path: "/usr/bin:/odd %h/bin" }));
    const { stderr, status } = spawnSync("systemd-analyze", ["--user", "verify", file], {
      encoding: "utf8",
      env: { ...process.env, XDG_RUNTIME_DIR: home },
    });
    expect([status, stderr]).to.deep.equal([0, ""]);
  });

  it("writes an agent whose words a reader of property lists gives back", function () {
    needPython(this, "the tests of launchd");
    const agent = launchdAgent({ words: strange, path: "/usr/bin:/a&b" });
    const read = "import plistlib,sys,json; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
    const { stdout } = spawnSync("python3", ["-c", read], { input: agent, encoding: "utf8" });
    const log = path.join(homedir(), "Library/Logs/pergola.log");
    expect(JSON.parse(stdout)).to.deep.equal({
      Label: "pergola",
      ProgramArguments: strange,
      EnvironmentVariables: { PATH: "/usr/bin:/a&b" },
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ExitTimeOut: 30,
      StandardOutPath: log,
      StandardErrorPath: log,
    });
  });
});
