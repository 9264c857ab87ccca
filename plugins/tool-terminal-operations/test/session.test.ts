import { expect } from "chai";
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { startPiped } from "../process/start-piped.ts";
import { startTerminal } from "../process/start-terminal.ts";
import plugin from "../index.ts";
import { sessions } from "../sessions/sessions.ts";
import { bench, newSleep, running, until, type Bench } from "./context.ts";

const hasTerminals = await import("node-pty").then(
  () => true,
  () => false,
);
const hasPython = existsSync("/usr/bin/python3");

/** Types, and waits until the session's output since then matches. */
async function dialogue(
  { tell }: Bench,
  session_id: string,
  input: string,
  expected: RegExp,
): Promise<string> {
  const { from_index } = await tell("send_input", { session_id, input });
  let output = "";
  await until(`${input} is answered by ${String(expected)}`, async () => {
    ({ output } = await tell("get_output", { session_id, from_index }));
    return expected.test(output);
  }).catch((error: Error) => {
    throw new Error(`${error.message}; it was: ${JSON.stringify(output)}`, { cause: error });
  });
  return output;
}

describe("terminal_operations sessions", () => {
  beforeEach(() => sessions.start());
  afterEach(() => sessions.stop());

  describe("on a terminal", function () {
    before(function () {
      if (hasTerminals) return;
      process.stdout.write("skipped: node-pty could not be built (Debian: python3, make, g++)\n");
      this.skip();
    });

    it("echo what is typed, keep their state and tell of their end", async () => {
      const at = bench();
      mkdirSync(path.join(at.context.workingDirectory, "sub"));
      const { session_id } = await at.tell("create_session", { name: "build" });
      // What is typed before the shell is ready is shown once more behind its prompt.
      expect(
        await dialogue(at, session_id, "tty; test -t 0 && echo interactive", /\ninteractive\n/),
      ).to.match(/^(?:tty; test[^\n]*\n)?[^\n]*tty; test[^\n]*\n\/dev\/pts\/\d+\n/);
      await dialogue(at, session_id, "cd sub; WORD=kept", /kept/);
      expect(await dialogue(at, session_id, "echo [$WORD] $(basename $PWD)", /\n\[kept\] sub\n/)).to.include(
        "echo [$WORD]",
      );
      await dialogue(at, session_id, "exit 7", /exit/);
      await until("it ends", async () => (await at.tell("get_output", { session_id })).exitCode === 7);
      expect((await at.failure("send_input", { session_id, input: "x" })).code).to.equal("conflict");
    });

    it("hold an interactive python", async function () {
      if (!hasPython) {
        process.stdout.write("skipped: python3 is missing (Debian: python3)\n");
        this.skip();
      }
      this.timeout(20_000);
      const at = bench();
      const { session_id } = await at.tell("create_session");
      await dialogue(at, session_id, "/usr/bin/python3 -q", />>> $/);
      await dialogue(at, session_id, "x = 6 * 7", />>> $/);
      expect(await dialogue(at, session_id, "print('answer', x)", /\nanswer 42\n/)).to.not.include("\u001b");
      await dialogue(at, session_id, "\u0004", /[$#] $/);
    });

    it("take control keys: Ctrl-C ends cat, Ctrl-D ends the shell", async () => {
      const at = bench();
      const mark = newSleep();
      const { session_id } = await at.tell("create_session");
      await dialogue(at, session_id, "cat", /cat\n/);
      await dialogue(at, session_id, "hello cat", /hello cat\nhello cat\n/);
      await dialogue(at, session_id, "\u0003", /[$#] $/);
      await dialogue(at, session_id, `sleep ${mark}`, /sleep/);
      await until("it sleeps", () => running(mark).length > 0);
      await dialogue(at, session_id, "\u0003", /[$#] $/);
      expect(running(mark)).to.deep.equal([]);
      await at.tell("send_input", { session_id, input: "\u0004" });
      await until(
        "the shell ends",
        async () => (await at.tell("get_output", { session_id })).status === "ended",
      );
    });

    it("are wide, and give text without control sequences, also of programs that colour", async () => {
      const at = bench();
      const { session_id } = await at.tell("create_session");
      expect(await dialogue(at, session_id, "stty size", /\n\d+ \d+\n/)).to.include("\n50 200\n");
      const said = await dialogue(
        at,
        session_id,
        "printf '\\033[2J\\033]0;t\\007\\033[31mred\\033[0m\\n'; printf 'a\\rb\\n'",
        /red\na\nb\n/,
      );
      // eslint-disable-next-line no-control-regex
      expect(said).to.not.match(/[\0-\x08\x0b-\x1f]/);
    });

    it("take long input", async () => {
      const at = bench({ settings: { "tools.terminal.shell": "bash" } });
      const { session_id } = await at.tell("create_session");
      const lines = Array.from({ length: 80 }, (_, index) => `: line ${index} ${"x".repeat(60)}`).join("\n");
      await dialogue(at, session_id, `${lines}\necho all $((1 + 1)) taken`, /\nall 2 taken\n/);
    });

    it("leave nobody when they are closed: background jobs, sessions of their own, who ignores hang-ups", async () => {
      const at = bench({ settings: { "tools.terminal.shell": "bash" } });
      const mark = newSleep();
      const { session_id } = await at.tell("create_session");
      const jobs = `sleep ${mark} & nohup sleep ${mark} >/dev/null 2>&1 & setsid sleep ${mark} & (trap '' TERM HUP; sleep ${mark}; sleep ${mark}) &`;
      await dialogue(at, session_id, `trap '' TERM HUP; ${jobs}`, /setsid/);
      await until("all run", () => running(mark).length >= 4);
      const begun = performance.now();
      expect(await at.tell("close_session", { session_id })).to.include({ session_id, status: "closed" });
      expect(performance.now() - begun).to.be.lessThan(2000);
      expect(running(mark)).to.deep.equal([]);
      expect((await at.failure("get_output", { session_id })).code).to.equal("not_found");
    });
  });

  it("work on pipes where there are no terminals", async () => {
    const at = bench();
    const folder = at.context.workingDirectory;
    const session = await sessions.open(at.context, { name: "", folder, command: "" }, (launch) =>
      startTerminal({ program: "sh", args: [], ...launch }, () => undefined),
    );
    expect((await session.started()).hasTerminal).to.equal(false);
    const { id } = session.facts;
    expect(await dialogue(at, id, "WORD=kept; test -t 0 || echo piped", /piped/)).to.equal("piped\n");
    expect(await dialogue(at, id, "echo $WORD >&2", /kept/)).to.equal("kept\n");
    await at.tell("send_input", { session_id: id, input: "exit 3" });
    await until("it ends", () => session.exitCode === 3);
  });

  it("say when their program cannot be started", async () => {
    const at = bench({ settings: { "tools.terminal.shell": "no-such-shell-here" } });
    const folder = at.context.workingDirectory;
    const open = sessions.open(at.context, { name: "", folder, command: "" }, (launch) =>
      startPiped({ program: "no-such-shell-here", args: [], ...launch }),
    );
    expect(await open.catch((error: { code?: string }) => error.code)).to.equal("unavailable");
    expect((await at.failure("create_session")).code).to.equal("unavailable");
    expect((await at.run("get_terminal_buffer")).message).to.equal("There is no session.");
  });

  it("keep a history of what was typed", async () => {
    const at = bench();
    const { session_id } = await at.tell("create_session", { name: "mine" });
    for (const input of ["echo one", "echo two"]) await at.tell("send_input", { session_id, input });
    const time = "2026-01-02T03:04:05.000Z";
    expect((await at.run("get_history", { session_id })).data).to.deep.include({
      name: "mine",
      history: [
        { time, input: "echo one" },
        { time, input: "echo two" },
      ],
    });
  });

  it("belong to their scope", async () => {
    const at = bench();
    const { session_id } = await at.tell("create_session");
    const stranger = { scope: "c2" };
    for (const [operation, args] of [
      ["get_output", { session_id }],
      ["send_input", { session_id, input: "x" }],
      ["get_history", { session_id }],
      ["close_session", { session_id }],
      ["get_terminal_output", { id: session_id }],
      ["get_task_output", { id: session_id }],
    ] as const) {
      const error = await at.failure(operation, args, stranger);
      expect(error.code, operation).to.equal("not_found");
      expect(error.hint, operation).to.not.include(session_id);
    }
    expect((await at.run("get_terminal_buffer", {}, stranger)).data).to.equal("");
    expect((await at.tell("get_output", { session_id }, { conversationId: "c9" })).status).to.equal(
      "running",
    );
    expect((await at.failure("get_output", { session_id: "term_none" })).hint).to.include(session_id);
  });

  it("end after the idle minutes of the settings, but not while they are used or write", async () => {
    const at = bench({ settings: { "tools.terminal.session_idle_minutes": 2 } });
    const mark = newSleep();
    const idle = (await at.run("run_command", { command: `sleep ${mark}`, isBackground: true })).fields?.[
      "sessionId"
    ] as string;
    const used = await at.tell("create_session");
    const minute = 60_000;
    at.context.clock.advance(minute);
    await at.tell("get_output", { session_id: used.session_id });
    at.context.clock.advance(minute);
    expect((await at.failure("get_output", { session_id: idle })).code).to.equal("not_found");
    expect(running(mark)).to.deep.equal([]);
    expect((await at.tell("get_output", { session_id: used.session_id })).status).to.equal("running");
    const writer = await at.run("run_command", {
      command: "while :; do echo tick; sleep 0.02; done",
      isBackground: true,
    });
    const session_id = writer.fields?.["sessionId"] as string;
    at.context.clock.advance(2 * minute - 1);
    const { length } = (await at.run("get_terminal_buffer")).data as string;
    await until(
      "it writes",
      async () => ((await at.run("get_terminal_buffer")).data as string).length > length,
    );
    at.context.clock.advance(minute);
    expect((await at.tell("get_output", { session_id })).status).to.equal("running");
  });

  it("are bounded in number, those that ended aside, and those that were refused leave nothing", async () => {
    const at = bench();
    const start = (command: string) => at.run("run_command", { command, isBackground: true });
    const ids = await Promise.all(
      Array.from({ length: 8 }, async () => (await start("sleep 600")).fields?.["sessionId"] as string),
    );
    const error = await at.failure("create_session");
    expect([error.code, ids.every((id) => error.hint.includes(id))]).to.deep.equal(["conflict", true]);
    await at.tell("create_session", {}, { scope: "c2" });
    await at.tell("close_session", { session_id: ids[0] });
    for (let turn = 0; turn < 18; turn += 1) await start("true");
    const last = await start("echo last");
    expect((await at.tell("get_output", { session_id: last.fields?.["sessionId"] })).output).to.equal(
      "last\n",
    );
  });

  it("all end when the plugin stops, and none is opened until it starts again", async () => {
    const at = bench();
    const mark = newSleep();
    await at.run("run_command", { command: `sleep ${mark}`, isBackground: true });
    await at.run("run_command", { command: `setsid sleep ${mark} & exit`, isBackground: true });
    const { session_id } = await at.tell("create_session");
    await at.tell("send_input", { session_id, input: `sleep ${mark}` });
    await until("all run", () => running(mark).length >= 3);
    const begun = performance.now();
    await plugin.stop?.({} as never);
    expect(performance.now() - begun).to.be.lessThan(2000);
    expect(running(mark)).to.deep.equal([]);
    expect((await at.failure("create_session")).code).to.equal("unavailable");
    await plugin.start?.({} as never);
    expect((await at.tell("create_session")).status).to.equal("running");
  });

  it("F1: end when the host is killed", async function () {
    this.timeout(20_000);
    if (!hasTerminals) this.skip();
    const mark = newSleep();
    const script = new URL("host-to-kill.ts", import.meta.url).pathname;
    const host = execFile(process.execPath, ["--conditions=source", "--import", "tsx", script, mark]);
    await until("its programs run", () => running(mark).length >= 2, 15_000);
    host.kill("SIGKILL");
    await until("they are gone", () => running(mark).length === 0);
  });

  it("keep the last command of a scope", async () => {
    const at = bench();
    expect((await at.run("get_last_command", {}, { scope: "nobody" })).data).to.deep.equal({
      command: "",
      working_directory: "",
      exitCode: null,
    });
    await at.run("run_command", { command: "exit 5" });
    expect((await at.run("get_last_command")).data).to.deep.equal({
      command: "exit 5",
      working_directory: at.context.workingDirectory,
      exitCode: 5,
    });
    expect((await at.run("get_last_command", {}, { scope: "nobody" })).data).to.include({ command: "" });
  });

  it("report a background command and a task that have ended with their exit code", async () => {
    const at = bench();
    const working_directory = at.context.workingDirectory;
    const last = async () => (await at.run("get_last_command")).data;
    await at.run("run_command", { command: "exit 4", isBackground: true });
    expect(await last()).to.deep.equal({ command: "exit 4", working_directory, exitCode: 4 });
    await at.run("create_and_run_task", { task: { label: "fails", command: "exit 3" } });
    expect(await last()).to.deep.equal({ command: "exit 3", working_directory, exitCode: 3 });
    await at.run("run_command", { command: "pwd" });
    await at.run("run_task", { label: "fails" });
    expect(await last()).to.deep.equal({ command: "exit 3", working_directory, exitCode: 3 });
  });

  it("report a background command that still runs without an exit code", async () => {
    const at = bench();
    const command = `sleep ${newSleep()}`;
    const { fields } = await at.run("run_command", { command, isBackground: true });
    expect((await at.run("get_last_command")).data).to.include({ command, exitCode: null });
    await at.run("close_session", { session_id: fields?.["sessionId"] });
  });

  it("have `ps` agree that nobody is left", async function () {
    const ps = await promisify(execFile)("ps", ["-V"]).catch(() => undefined);
    if (ps === undefined) {
      process.stdout.write("skipped: ps is missing (Debian: procps)\n");
      this.skip();
    }
    const mark = newSleep();
    const at = bench();
    const { session_id } = await at.tell("create_session");
    await at.tell("send_input", { session_id, input: `sleep ${mark} & sleep ${mark}` });
    const count = (): number =>
      execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split(`sleep ${mark}`).length - 1;
    await until("both run", () => running(mark).length >= 2);
    expect(count()).to.be.greaterThan(0);
    await at.tell("close_session", { session_id });
    expect(count()).to.equal(0);
  });
});
