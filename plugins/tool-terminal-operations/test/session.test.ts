import { expect } from "chai";
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { startPiped } from "../process/start-piped.ts";
import { startTerminal } from "../process/start-terminal.ts";
import plugin from "../index.ts";
import { sessions } from "../sessions/sessions.ts";
import { bench, newSleep, running, until } from "./context.ts";
import { dialogue, hasTerminals } from "./dialogue.ts";

describe("terminal_operations sessions", () => {
  beforeEach(() => sessions.start());
  afterEach(() => sessions.stop());

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
