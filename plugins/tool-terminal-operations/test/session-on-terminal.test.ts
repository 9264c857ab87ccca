import { expect } from "chai";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { sessions } from "../sessions/sessions.ts";
import { bench, newSleep, running, until } from "./context.ts";
import { dialogue, hasTerminals } from "./dialogue.ts";

const hasPython = existsSync("/usr/bin/python3");

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
});
