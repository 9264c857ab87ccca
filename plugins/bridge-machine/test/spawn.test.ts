import { expect } from "chai";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { ToolError } from "@pergola/sdk";
import type { Sandbox } from "@pergola/sdk/host";
import { createSpawn } from "../spawn.ts";
import { codeOf, folders, type Folders } from "./folders.ts";
import { mostHeld } from "./most-held.ts";

/** Processes whose command line holds the mark. */
const running = (mark: string): readonly string[] =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark) &&
          !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")
        );
      } catch {
        return false;
      }
    });

let lastMark = 770_000;
/** A number of seconds for `sleep` that no other process uses. */
const newMark = (): string => String((lastMark += 1) + process.pid / 1e7);

describe("createSpawn", () => {
  let at: Folders;
  let controller: AbortController;

  beforeEach(() => {
    at = folders();
    controller = new AbortController();
  });

  const spawn = (...[program, args, options]: Parameters<ReturnType<typeof createSpawn>>) =>
    createSpawn({
      workingDirectory: at.work,
      preference: () => undefined,
      programs: "any",
      signal: controller.signal,
    })(program, args, options);
  const shell = (script: string, options?: Parameters<ReturnType<typeof createSpawn>>[2]) =>
    spawn("sh", ["-c", script], options);

  it("gives exit code and output, and runs in the working directory", async () => {
    expect(await shell("pwd; echo bad >&2; exit 3")).to.deep.equal({
      exitCode: 3,
      stdout: `${at.work}\n`,
      stderr: "bad\n",
      timedOut: false,
      truncated: false,
    });
    mkdirSync(path.join(at.work, "sub"));
    expect((await shell("pwd", { cwd: "sub" })).stdout).to.equal(`${at.work}/sub\n`);
    expect(await shell("kill -9 $$")).to.include({ exitCode: null });
  });

  it("goes through no shell", async () => {
    const words = ["$HOME", "`id`", "a b", "; touch x", "*", "--", "", "é"];
    expect((await spawn("printf", ["%s|", ...words])).stdout).to.equal(
      words.map((word) => `${word}|`).join(""),
    );
    expect(readdirSync(at.work)).to.deep.equal([]);
  });

  it("hands the input over and then an end of file", async () => {
    expect((await spawn("cat", [], { input: "in\n" })).stdout).to.equal("in\n");
    expect((await spawn("cat", [])).stdout).to.equal("");
    expect((await spawn("true", [], { input: "x".repeat(1_000_000) })).exitCode).to.equal(0);
  });

  it("A22: shows a program no variable of the service but the harmless ones", async () => {
    process.env["OPENAI_API_KEY"] = "sk-canary";
    try {
      const { stdout } = await spawn("env", [], { env: { ADDED: "yes" } });
      const names = stdout
        .trim()
        .split("\n")
        .map((line) => line.split("=")[0]);
      expect(names).to.include.members(["PATH", "TERM", "ADDED"]);
      expect(
        names.filter(
          (name) => !["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TERM", "ADDED"].includes(name ?? ""),
        ),
      ).to.deep.equal([]);
      expect(stdout).to.include("TERM=dumb").and.not.include("sk-canary");
    } finally {
      delete process.env["OPENAI_API_KEY"];
    }
  });

  it("runs only what the manifest names, by that very name", async () => {
    const spawnGit = createSpawn({
      workingDirectory: at.work,
      preference: () => undefined,
      programs: ["git"],
      signal: controller.signal,
    });
    expect((await spawnGit("git", ["--version"])).exitCode).to.equal(0);
    for (const program of ["sh", "/tmp/git", "./git", "GIT", ""])
      expect(await codeOf(spawnGit(program, [])), program).to.equal("permission_denied");
  });

  it("says why a program could not be started", async () => {
    expect(await codeOf(spawn("no-such-program-here", []))).to.equal("unavailable");
    expect(await codeOf(spawn(at.work, []))).to.equal("system_permission_denied");
    expect(await codeOf(spawn("echo", ["a\0b"]))).to.equal("invalid_value");
    expect(await codeOf(spawn("echo", ["x".repeat(3_000_000)]))).to.equal("invalid_value");
    expect(await codeOf(spawn("echo", [], { cwd: "none" }))).to.equal("file_not_found");
  });

  it("keeps the first bytes of each stream and drops the rest", async () => {
    const result = await shell("yes | head -c 300000; printf abc >&2", { maxOutputBytes: 100_000 });
    expect([result.stdout.length, result.stderr, result.truncated]).to.deep.equal([100_000, "abc", true]);
    expect(await shell("printf é", { maxOutputBytes: 1 })).to.include({ stdout: "", truncated: true });
  });

  it("holds no more than the limit of a program that never stops writing", async () => {
    const most = await mostHeld(async () => {
      const result = await spawn("yes", [], { timeoutSeconds: 0.5, maxOutputBytes: 100_000 });
      expect(result).to.include({ timedOut: true, truncated: true, exitCode: null });
    });
    expect(most).to.be.lessThan(10_000_000);
  });

  it("shows output as it comes, without splitting letters", async () => {
    const seen: [string, string][] = [];
    await shell("printf '\\303'; sleep 0.05; printf '\\251'; printf e >&2", {
      onOutput: (text, stream) => seen.push([stream, text]),
    });
    expect(
      seen
        .filter(([stream]) => stream === "stdout")
        .map(([, text]) => text)
        .join(""),
    ).to.equal("é");
    expect(seen).to.deep.include(["stderr", "e"]);
  });

  describe("T31, F21: leaves no survivor", () => {
    it("after a time-out, with children and grandchildren in the background", async () => {
      const mark = newMark();
      const result = await shell(`sleep ${mark} & (sleep ${mark} & sleep ${mark}) & sleep ${mark}`, {
        timeoutSeconds: 0.2,
      });
      expect(result).to.include({ timedOut: true, exitCode: null });
      expect(running(mark)).to.deep.equal([]);
    });

    it("within 2 s of a cancel, also of programs that ignore the request", async () => {
      const mark = newMark();
      const work = codeOf(
        shell(
          `trap '' TERM; sh -c "trap '' TERM; sleep ${mark}; sleep ${mark}" & sleep ${mark}; sleep ${mark}; sleep ${mark}`,
        ),
      );
      while (running(mark).length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
      const cancelled = performance.now();
      controller.abort();
      expect(await work).to.equal("cancelled");
      expect(performance.now() - cancelled).to.be.lessThan(2000);
      expect(running(mark)).to.deep.equal([]);
    });

    it("when the program ends by itself and leaves others behind", async () => {
      const mark = newMark();
      const begun = performance.now();
      expect(await shell(`sleep ${mark} & echo done`)).to.include({ exitCode: 0, stdout: "done\n" });
      expect(performance.now() - begun).to.be.lessThan(1500);
      expect(running(mark)).to.deep.equal([]);
    });

    it("but one that made a session of its own, which does not hold up the answer either", async () => {
      const mark = newMark();
      const begun = performance.now();
      expect(await shell(`setsid sleep ${mark} & echo done; wait`, { timeoutSeconds: 0.2 })).to.include({
        timedOut: true,
        stdout: "done\n",
      });
      expect(performance.now() - begun).to.be.lessThan(2000);
      for (const pid of running(mark)) process.kill(Number(pid), "SIGKILL");
    });
  });

  it("starts nothing once the call is cancelled, and keeps the call's reason", async () => {
    controller.abort(new ToolError("timeout", "The call took too long."));
    expect(await codeOf(shell("touch made"))).to.equal("timeout");
    expect(readdirSync(at.work)).to.deep.equal([]);
  });

  it("starts nothing when the cancel comes while the sandbox is made, and gives that back", async () => {
    let released = 0;
    const sandbox: Sandbox = {
      state: async () => ({ works: true, by: "test", fences: [] }),
      wrap: async (_plan, program, args) => {
        controller.abort();
        const release = async (): Promise<void> => void (released += 1);
        return { program, args, env: {}, appeared: async () => [], release };
      },
    };
    const walled = createSpawn({
      workingDirectory: at.work,
      preference: () => undefined,
      programs: "any",
      signal: controller.signal,
      sandbox,
    });
    const mark = newMark();
    const call = walled("sleep", [mark], { sandbox: { kind: "command" } });
    expect(await codeOf(call)).to.equal("cancelled");
    expect([running(mark), released]).to.deep.equal([[], 1]);
  });

  it("runs no helper where nobody brings a sandbox", async () => {
    const helper = shell("echo ran", { sandbox: { kind: "helper" } });
    expect(await codeOf(helper)).to.equal("unavailable");
  });

  it("leaves no listener and no descriptor behind", async () => {
    await shell("true");
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const before = descriptors();
    for (let turn = 0; turn < 10; turn += 1)
      await Promise.allSettled([shell("true"), spawn("no-such-program-here", [])]);
    while (descriptors() > before) await new Promise(setImmediate);
  });

  it("does not become a child of the service's terminal group", async () => {
    const groupOf = (stat: string) => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
    const group = groupOf((await shell("cat /proc/$$/stat")).stdout);
    expect(group)
      .to.match(/^\d+$/)
      .and.not.equal(groupOf(readFileSync("/proc/self/stat", "utf8")));
  });
});
