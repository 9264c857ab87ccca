import { expect } from "chai";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { sessions } from "../sessions/sessions.ts";
import { unavailable } from "../unavailable.ts";
import { bench, newSleep, running, until } from "./context.ts";

const preferences = { "sandbox.programs": "required", "tools.terminal.network": "none" };

describe("terminal_operations in a sandbox", () => {
  before(function () {
    const { status } = spawnSync("bwrap", [
      "--unshare-user",
      "--unshare-pid",
      "--disable-userns",
      "--ro-bind",
      "/",
      "/",
      "true",
    ]);
    if (status === 0) return;
    process.stdout.write("skipped: bwrap is missing or may not make namespaces (Debian: bubblewrap)\n");
    this.skip();
  });

  beforeEach(() => sessions.start());
  afterEach(() => sessions.stop());

  it("works in the working directory, and in one that the person allowed", async () => {
    const outside = temporaryFolder();
    const { run, shell, context } = bench({ preferences, allowed: [outside] });
    expect(
      (await run("run_command", { command: "echo in > made; pwd; echo err >&2; exit 3" })).fields,
    ).to.include({ exitCode: 3 });
    expect(readFileSync(path.join(context.workingDirectory, "made"), "utf8")).to.equal("in\n");
    expect(await shell("echo out > made; pwd", { working_directory: outside })).to.equal(`${outside}\n`);
    expect(readFileSync(path.join(outside, "made"), "utf8")).to.equal("out\n");
  });

  it("writes nowhere else, and sees neither homes nor other folders", async () => {
    const { shell } = bench({ preferences });
    const other = temporaryFolder();
    writeFileSync(path.join(other, "secret"), "canary");
    expect(await shell(`cat ${other}/secret 2>/dev/null; ls /home /root 2>/dev/null; echo $?`)).to.equal(
      "2\n",
    );
    for (const file of ["/usr/canary", "/etc/canary", "/canary/x"])
      expect((await shell(`echo x > ${file} || echo refused`)).trim().endsWith("refused"), file).to.equal(
        true,
      );
    expect(await shell("cat /etc/shadow 2>/dev/null || echo hidden")).to.equal("hidden\n");
  });

  it("A22: sees no process of the host, whose environment holds the secrets", async () => {
    const { shell } = bench({ preferences });
    expect(await shell(`cat /proc/${process.pid}/environ 2>/dev/null || echo hidden`)).to.equal("hidden\n");
    expect(Number(await shell("ls -d /proc/[0-9]* | wc -l"))).to.be.lessThan(8);
  });

  it("has no rights to give away", async () => {
    const { shell } = bench({ preferences });
    const status = await shell("grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status");
    expect(status)
      .to.match(/CapEff:\s+0+\n/)
      .and.match(/CapBnd:\s+0+\n/)
      .and.match(/NoNewPrivs:\s+1/);
    expect(await shell("unshare -U true 2>/dev/null || echo refused")).to.equal("refused\n");
  });

  it("S14: leaves what other programs execute or trust as it is", async () => {
    const names = [".git/hooks", ".git/config", ".vscode", ".yarnrc*"];
    const { shell, context } = bench({
      preferences: { ...preferences, "authorization.protected_names": names },
    });
    const at = (file: string): string => path.join(context.workingDirectory, file);
    mkdirSync(at(".vscode"));
    mkdirSync(at(".git"));
    for (const file of [".vscode/tasks.json", ".yarnrc.yml", ".git/config", ".git/HEAD"])
      writeFileSync(at(file), "before");
    const harms = [
      "echo evil > .vscode/tasks.json",
      "echo evil > .vscode/more",
      "echo evil > .yarnrc.yml",
      "rm .yarnrc.yml",
      "echo evil > .git/config",
      "echo evil > .git/hooks/pre-commit",
      "mv .git other && mkdir .git && echo evil > .git/config",
      "rm -rf .vscode && mkdir .vscode && echo evil > .vscode/tasks.json",
    ];
    for (const harm of harms)
      expect(await shell(`(${harm}) 2>/dev/null && echo done || echo refused`), harm).to.equal("refused\n");
    for (const file of [".vscode/tasks.json", ".yarnrc.yml", ".git/config"])
      expect(readFileSync(at(file), "utf8"), file).to.equal("before");
    expect(existsSync(at(".git/hooks"))).to.equal(false);
    expect(await shell("echo x > .git/index && echo y > a.txt && cat .git/index a.txt")).to.equal("x\ny\n");
  });

  it("T31, F21: leaves nobody, not even who cleared its environment and left its session", async () => {
    const { failure, run, tell } = bench({ preferences });
    const mark = newSleep();
    const escape = `env -i setsid sh -c "trap '' TERM HUP; sleep ${mark}; sleep ${mark}" & sleep 600`;
    expect((await failure("run_command", { command: escape, timeout: 0.5 })).code).to.equal("timeout");
    await until("they are gone", () => running(mark).length === 0, 1000);
    const { fields } = await run("run_command", { command: escape, isBackground: true });
    await until("it runs", () => running(mark).length > 0);
    await tell("close_session", { session_id: fields?.["sessionId"] });
    await until("they are gone", () => running(mark).length === 0, 1000);
  });

  it("holds sessions, with a terminal and control keys", async () => {
    const { tell } = bench({ preferences });
    const { session_id } = await tell("create_session");
    expect((await tell("send_input", { session_id, input: "echo pid $$" })).output).to.match(
      /\npid \d{1,2}\n/,
    );
    await tell("send_input", { session_id, input: "sleep 600" });
    await tell("send_input", { session_id, input: "\u0003" });
    expect((await tell("send_input", { session_id, input: "echo after" })).output).to.match(/\nafter\n/);
  });

  it("S11: hides the service's own data and credentials, wherever the working directory lies", async () => {
    const home = temporaryFolder();
    const dataDirectory = path.join(home, ".local/share/pergola");
    for (const file of [".local/share/pergola/store.db", ".ssh/id_ed25519", ".npmrc", "project/a.txt"]) {
      mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
      writeFileSync(path.join(home, file), "canary");
    }
    const hidden = { "authorization.protected_paths": [`${home}/.ssh`, `${home}/.npm*`] };
    const { shell } = bench({
      preferences: { ...preferences, ...hidden },
      dataDirectory,
      workingDirectory: home,
    });
    expect(
      await shell("cat .local/share/pergola/store.db .ssh/id_ed25519 .npmrc project/a.txt 2>/dev/null"),
    ).to.equal("canary");
    expect(readFileSync(path.join(home, ".ssh/id_ed25519"), "utf8")).to.equal("canary");
  });

  it("leaves the sandbox only with an explanation", async () => {
    const { shell, failure } = bench({ preferences });
    const other = temporaryFolder();
    const command = `touch ${other}/made`;
    expect((await failure("run_command", { command, unsandboxed: true })).code).to.equal("invalid_value");
    expect(existsSync(path.join(other, "made"))).to.equal(false);
    await shell(command, { unsandboxed: true, explanation: "It works elsewhere" });
    expect(existsSync(path.join(other, "made"))).to.equal(true);
  });
});

describe("the availability of terminal_operations", () => {
  it("is tried when the settings name another shell or the sandbox", async () => {
    expect(await unavailable(bench().context)).to.equal(undefined);
    expect(await unavailable(bench({ settings: { "tools.terminal.shell": "bash" } }).context)).to.equal(
      undefined,
    );
    const missing = await unavailable(
      bench({ settings: { "tools.terminal.shell": "no-such-shell-here" } }).context,
    );
    expect(missing?.reason).to.include("no-such-shell-here");
    expect(missing?.remedy).to.include("tools.terminal.shell");
  });
});
