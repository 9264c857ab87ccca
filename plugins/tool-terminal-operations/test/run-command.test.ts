import { expect } from "chai";
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { sessions } from "../sessions/sessions.ts";
import { bench, newSleep, running, until } from "./context.ts";

const statusOf = (pid: string): string => readFileSync(`/proc/${pid}/environ`, "utf8");

describe("terminal_operations.run_command", () => {
  beforeEach(() => sessions.start());
  afterEach(() => sessions.stop());

  it("gives output and error output in the order in which they were written", async () => {
    const { shell } = bench();
    const command = "i=0; while [ $i -lt 200 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done";
    const expected = Array.from({ length: 200 }, (_, index) => `out ${index}\nerr ${index}\n`).join("");
    expect(await shell(command)).to.equal(expected);
  });

  it("is a success with the exit code, whatever it is", async () => {
    const { run } = bench();
    expect(await run("run_command", { command: "echo no >&2; exit 3" })).to.deep.equal({
      data: "no\n",
      message: "Exit code 3.",
      fields: { exitCode: 3, timedOut: false },
    });
    for (const [command, exitCode] of [
      ["true", 0],
      ["no-such-program-here", 127],
      ["if", 2],
      ["kill -9 $$", 137],
      ["kill -15 $$", 143],
    ] as const)
      expect((await run("run_command", { command })).fields, command).to.deep.equal({
        exitCode,
        timedOut: false,
      });
  });

  it("has no input", async () => {
    expect(await bench().shell("cat; read line; echo $?")).to.equal("1\n");
  });

  it("B9: takes long commands, several lines and every kind of quoting", async () => {
    const { shell, failure } = bench();
    expect(await shell(`printf %s ${"x".repeat(32_000)} | wc -c`)).to.match(/^\s*32000\n$/);
    expect(await shell("echo one\necho two\n# a comment")).to.equal("one\ntwo\n");
    expect(await shell(`printf '%s|' "a b" 'c"d' e\\ f '$HOME' "it's" '\`id\`' é`)).to.equal(
      "a b|c\"d|e f|$HOME|it's|`id`|é|",
    );
    expect(await shell("cat <<'END'\n$HOME\nEND")).to.equal("$HOME\n");
    expect((await failure("run_command", { command: "echo a\0b" })).code).to.equal("invalid_value");
  });

  it("runs in the working directory, in a folder of it, or where it is told", async () => {
    const outside = temporaryFolder();
    const { shell, context, failure } = bench({ allowed: [outside] });
    const root = context.workingDirectory;
    mkdirSync(path.join(root, "sub"));
    symlinkSync(path.join(root, "sub"), path.join(root, "link"));
    writeFileSync(path.join(root, "file"), "");
    expect(await shell("pwd -P")).to.equal(`${realpathSync(root)}\n`);
    expect(await shell("pwd -P", { working_directory: "sub" })).to.equal(`${realpathSync(root)}/sub\n`);
    expect(await shell("pwd -P", { working_directory: "link" })).to.equal(`${realpathSync(root)}/sub\n`);
    expect(await shell("pwd -P", { working_directory: outside })).to.equal(`${outside}\n`);
    expect((await failure("run_command", { command: "pwd", working_directory: "none" })).code).to.equal(
      "file_not_found",
    );
    expect((await failure("run_command", { command: "pwd", working_directory: "file" })).code).to.equal(
      "invalid_value",
    );
    expect((await failure("run_command", { command: "pwd", working_directory: "../.." })).code).to.equal(
      "path_escape",
    );
  });

  it("A22: gives a command none of the service's secrets", async () => {
    process.env["OPENAI_API_KEY"] = "sk-canary";
    process.env["PERGOLA_AUTH_TOKEN"] = "canary-token";
    try {
      const { shell, run, tell } = bench();
      const started = await run("run_command", { command: "env; echo ready", isBackground: true });
      const id = started.fields?.["sessionId"] as string;
      await until(
        "the background command ends",
        async () => (await tell("get_output", { session_id: id })).status === "ended",
      );
      const opened = await tell("create_session");
      const typed = await tell("send_input", { session_id: opened.session_id, input: "env" });
      for (const text of [
        await shell("env"),
        (await tell("get_output", { session_id: id })).output,
        typed.output,
      ]) {
        expect(text).to.include("PATH=").and.include("TERM=dumb");
        expect(text).to.not.match(/canary|API_KEY|AUTH_TOKEN/);
      }
    } finally {
      delete process.env["OPENAI_API_KEY"];
      delete process.env["PERGOLA_AUTH_TOKEN"];
    }
  });

  it("uses the shell that the settings name", async () => {
    const { shell } = bench({ settings: { "tools.terminal.shell": "bash" } });
    expect(await shell("echo ${BASH_VERSION:+bash}; [[ a == a ]] && echo yes")).to.equal("bash\nyes\n");
  });

  it("leaves control sequences out and shows other control characters", async () => {
    const { shell } = bench();
    expect(await shell("printf '\\033[31mred\\033[0m \\033]0;title\\007x\\000y\\b\\r\\n'")).to.equal(
      "red x␀y␈\n",
    );
  });

  it("shows what it writes while it works, once a second at most", async () => {
    const { shell, context } = bench();
    await shell("echo first; sleep 0.1; echo second");
    expect(context.progressed).to.deep.equal(["first"]);
  });

  it("the tool `yes`: keeps the beginning of an endless output, in bounded memory, and ends it", async () => {
    const { failure, run } = bench();
    const before = process.memoryUsage().rss;
    const error = await failure("run_command", { command: "yes endless-writer", timeout: 0.5 });
    expect([error.code, error.fields?.["timedOut"]]).to.deep.equal(["timeout", true]);
    expect(error.message.length).to.be.lessThan(10_000);
    expect(process.memoryUsage().rss - before).to.be.lessThan(80_000_000);
    expect(running("endless-writer")).to.deep.equal([]);
    const { data, message } = await run("run_command", { command: "yes | head -c 3000000" });
    expect((data as string).length).to.equal(1_048_576);
    expect(message).to.include("Only the beginning");
  });

  it("fails when it takes too long, with the output until then and what to do", async () => {
    const { failure } = bench();
    const mark = newSleep();
    const error = await failure("run_command", {
      command: `echo begun; sleep ${mark}; echo never`,
      timeout: 0.3,
    });
    expect([error.code, error.fields?.["timedOut"]]).to.deep.equal(["timeout", true]);
    expect(error.message).to.include("0.3 s").and.include("begun\n").and.not.include("never");
    expect(error.hint).to.include("isBackground");
    expect(running(mark)).to.deep.equal([]);
  });

  describe("T31, F21: leaves no survivor", function () {
    before(function () {
      if (process.platform !== "linux") this.skip();
    });

    const stubborn = (mark: string): string =>
      `trap '' TERM HUP; sh -c "trap '' TERM HUP; sleep ${mark}; sleep ${mark}" & ` +
      `setsid sh -c "trap '' TERM HUP; sleep ${mark}; sleep ${mark}" & ` +
      `(setsid sleep ${mark} &) ; sleep ${mark}; sleep ${mark}; sleep ${mark}`;

    it("after a time-out: children, grandchildren, sessions of their own, and who ignores the request", async () => {
      const mark = newSleep();
      const begun = performance.now();
      const error = await bench().failure("run_command", { command: stubborn(mark), timeout: 0.5 });
      expect(error.code).to.equal("timeout");
      expect(performance.now() - begun).to.be.lessThan(2500);
      expect(running(mark)).to.deep.equal([]);
    });

    it("within 2 s of a cancel", async () => {
      const mark = newSleep();
      const controller = new AbortController();
      const { failure } = bench({ signal: controller.signal });
      const work = failure("run_command", { command: stubborn(mark) });
      await until("all of it runs", () => running(mark).length >= 5);
      const cancelled = performance.now();
      controller.abort();
      expect((await work).code).to.equal("cancelled");
      expect(performance.now() - cancelled).to.be.lessThan(2000);
      expect(running(mark)).to.deep.equal([]);
    });

    it("when the command ends before what it forked", async () => {
      const mark = newSleep();
      const begun = performance.now();
      expect(await bench().shell(`sleep ${mark} & echo done`)).to.equal("done\n");
      expect(performance.now() - begun).to.be.lessThan(1500);
      expect(running(mark)).to.deep.equal([]);
    });

    it("of one that forks without end", async () => {
      const mark = newSleep();
      const forking = `f() { i=0; while [ $i -lt 40 ]; do setsid sleep ${mark} & i=$((i+1)); done; }; f; wait`;
      await bench().failure("run_command", { command: forking, timeout: 0.5 });
      expect(running(mark)).to.deep.equal([]);
    });
  });

  describe("in the background", () => {
    it("answers at once, and gives its later output, its end and its exit code", async () => {
      const { run, tell, context } = bench();
      const gate = path.join(context.workingDirectory, "gate");
      const begun = performance.now();
      const command = `echo early; until [ -e ${gate} ]; do sleep 0.02; done; echo later >&2; exit 4`;
      const { data, fields } = await run("run_command", { command, isBackground: true });
      expect(performance.now() - begun).to.be.lessThan(2000);
      expect([data, fields?.["exitCode"], fields?.["timedOut"]]).to.deep.equal(["early\n", null, false]);
      const session_id = fields?.["sessionId"] as string;
      const first = await tell("get_output", { session_id });
      expect(first).to.include({
        status: "running",
        exitCode: null,
        output: "early\n",
        from_index: 0,
        next_index: 6,
      });
      writeFileSync(gate, "");
      await until("it ends", async () => (await tell("get_output", { session_id })).status === "ended");
      expect(await tell("get_output", { session_id, from_index: 6 })).to.include({
        exitCode: 4,
        output: "later\n",
        next_index: 12,
      });
      expect((await run("get_terminal_output", { id: session_id })).data).to.equal("early\nlater\n");
    });

    it("tells of a command that fails at once", async () => {
      const { data, fields } = await bench().run("run_command", {
        command: "no-such-program-here",
        isBackground: true,
      });
      expect(data).to.include("not found");
      expect(fields?.["exitCode"]).to.equal(127);
    });

    it("has no input, and outlives the call and the call's cancel", async () => {
      const controller = new AbortController();
      const { run, tell } = bench({ signal: controller.signal });
      const command = "cat; echo no input; sleep 0.4; echo still here; sleep 600";
      const session_id = (await run("run_command", { command, isBackground: true })).fields?.[
        "sessionId"
      ] as string;
      controller.abort();
      await until(
        "it goes on",
        async () => (await tell("get_output", { session_id })).output === "no input\nstill here\n",
      );
    });

    it("keeps the last part of an endless output, in bounded memory, without keeping the host busy", async function () {
      this.timeout(15_000);
      const { run, tell } = bench();
      const before = process.memoryUsage().rss;
      const session_id = (await run("run_command", { command: "yes endless-background", isBackground: true }))
        .fields?.["sessionId"] as string;
      await until(
        "much is written",
        async () => (await tell("get_output", { session_id, from_index: 0 })).next_index > 8_000_000,
        10_000,
      );
      const [begun, at] = [performance.now(), (await tell("get_output", { session_id })).next_index];
      await until("time passes", () => performance.now() - begun > 1000);
      const written = (await tell("get_output", { session_id })).next_index - at;
      const windows = Math.ceil((performance.now() - begun) / 50) + 1;
      expect(written, "characters, a mebibyte and at most one chunk in each window").to.be.within(
        1,
        windows * (1_048_576 + 131_072),
      );
      const { output, from_index, next_index } = await tell("get_output", { session_id, from_index: 0 });
      expect(output.length).to.be.within(262_144, 330_000);
      expect(next_index - from_index).to.equal(output.length);
      expect(process.memoryUsage().rss - before).to.be.lessThan(100_000_000);
      const closed = await run("close_session", { session_id });
      expect(closed.data).to.include({ status: "closed" });
      expect(running("endless-background")).to.deep.equal([]);
    });

    it("A22: carries its mark and nothing else of ours in its environment", async function () {
      if (process.platform !== "linux") this.skip();
      const mark = newSleep();
      const { run } = bench();
      await run("run_command", { command: `exec sleep ${mark}`, isBackground: true });
      const [pid = ""] = running(mark).filter((one) =>
        readFileSync(`/proc/${one}/cmdline`, "utf8").startsWith("sleep"),
      );
      const names = statusOf(pid)
        .split("\0")
        .map((entry) => entry.split("=")[0])
        .filter(
          (name) =>
            !["", "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TERM", "PWD", "OLDPWD", "SHLVL", "_"].includes(
              name ?? "",
            ),
        );
      expect(names).to.deep.equal(["PERGOLA_COMMAND"]);
    });
  });
});
