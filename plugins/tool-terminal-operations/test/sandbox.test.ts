import { expect } from "chai";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { sessions } from "../sessions/sessions.ts";
import { unavailable } from "../unavailable.ts";
import { bench, newSleep, running, until } from "./context.ts";

const asked = { "tools.terminal.sandbox": "bubblewrap" };

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
    const { run, shell, context } = bench({ settings: asked, allowed: [outside] });
    expect(
      (await run("run_command", { command: "echo in > made; pwd; echo err >&2; exit 3" })).fields,
    ).to.include({ exitCode: 3 });
    expect(readFileSync(path.join(context.workingDirectory, "made"), "utf8")).to.equal("in\n");
    expect(await shell("echo out > made; pwd", { working_directory: outside })).to.equal(`${outside}\n`);
    expect(readFileSync(path.join(outside, "made"), "utf8")).to.equal("out\n");
  });

  it("writes nowhere else, and sees neither homes nor other folders", async () => {
    const { shell } = bench({ settings: asked });
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
    const { shell } = bench({ settings: asked });
    expect(await shell(`cat /proc/${process.pid}/environ 2>/dev/null || echo hidden`)).to.equal("hidden\n");
    expect(Number(await shell("ls -d /proc/[0-9]* | wc -l"))).to.be.lessThan(8);
  });

  it("has no rights to give away", async () => {
    const { shell } = bench({ settings: asked });
    const status = await shell("grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status");
    expect(status)
      .to.match(/CapEff:\s+0+\n/)
      .and.match(/CapBnd:\s+0+\n/)
      .and.match(/NoNewPrivs:\s+1/);
    expect(await shell("unshare -U true 2>/dev/null || echo refused")).to.equal("refused\n");
  });

  it("reaches the network only when the settings say so", async () => {
    const server = createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1");
    await until("it listens", () => server.listening);
    const { port } = server.address() as { readonly port: number };
    const talk = `bash -c 'cat < /dev/tcp/127.0.0.1/${port}' 2>/dev/null || echo refused`;
    try {
      expect(await bench({ settings: asked }).shell(talk)).to.equal("refused\n");
      const open = { ...asked, "tools.terminal.sandbox_network": true };
      expect(await bench({ settings: open, preferences: { "auth.loopback": "token" } }).shell(talk)).to.equal(
        "hello",
      );
    } finally {
      server.close();
    }
  });

  it("S12: does not run with the network while the service asks programs of this computer for no token", async () => {
    const open = { ...asked, "tools.terminal.sandbox_network": true };
    for (const preferences of [{}, { "auth.loopback": "none" }] as Record<string, string>[]) {
      const { failure, context } = bench({ settings: open, preferences });
      const error = await failure("run_command", { command: "touch made" });
      expect(error.code).to.equal("unavailable");
      expect(error.hint).to.include("tools.terminal.sandbox_network");
      expect((await failure("create_session")).code).to.equal("unavailable");
      expect(existsSync(path.join(context.workingDirectory, "made"))).to.equal(false);
    }
  });

  it("S14: leaves what other programs execute or trust as it is", async () => {
    const names = [".git/hooks", ".git/config", ".vscode", ".yarnrc*"];
    const { shell, context } = bench({
      settings: asked,
      preferences: { "authorization.protected_names": names },
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
    expect(readdirSync(at(".git/hooks"))).to.deep.equal([]);
    expect(await shell("echo x > .git/index && echo y > a.txt && cat .git/index a.txt")).to.equal("x\ny\n");
  });

  it("T31, F21: leaves nobody, not even who cleared its environment and left its session", async () => {
    const { failure, run, tell } = bench({ settings: asked });
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
    const { tell } = bench({ settings: asked });
    const { session_id } = await tell("create_session");
    expect((await tell("send_input", { session_id, input: "echo pid $$" })).output).to.match(
      /\npid \d{1,2}\n/,
    );
    await tell("send_input", { session_id, input: "sleep 600" });
    await tell("send_input", { session_id, input: "\u0003" });
    expect((await tell("send_input", { session_id, input: "echo after" })).output).to.match(/\nafter\n/);
  });

  it("fails as unavailable, and runs nothing, when it cannot be made", async () => {
    const at = bench({ settings: asked });
    const without = {
      spawn: ((_, args, options) =>
        at.context.spawn("no-bwrap-here", args, options)) as typeof at.context.spawn,
    };
    expect((await at.failure("run_command", { command: "touch made" }, without)).code).to.equal(
      "unavailable",
    );
    const broken = {
      spawn: ((program, args, options) =>
        at.context.spawn(program, ["--no-such-option", ...args], options)) as typeof at.context.spawn,
    };
    const error = await at.failure("run_command", { command: "touch made" }, broken);
    expect([error.code, error.message.includes("no-such-option")]).to.deep.equal(["unavailable", true]);
    expect(await unavailable({ ...at.context, ...broken })).to.have.keys("reason", "remedy");
    expect(
      await bench()
        .shell("ls", { working_directory: at.context.workingDirectory })
        .catch(() => ""),
    ).to.equal("");
    expect(await at.shell("ls")).to.equal("");
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
