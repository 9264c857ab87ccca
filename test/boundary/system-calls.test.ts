import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import { expect } from "chai";
import type { SandboxPlan } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { systemCalls } from "../../plugins/service-sandbox/filter/system-calls.ts";
import { openSandbox } from "../../plugins/service-sandbox/sandbox.ts";
import { needsPrograms } from "./support/needs-programs.ts";

type Kind = SandboxPlan["kind"];

/** What a program may that a plugin may not. */
const allowedToPrograms = [
  ...["ptrace", "socket-inet", "socket-unix", "personality", "memfd_create", "shmget", "msgget", "mq_open"],
  ...["process_vm_readv", "mmap-shared", "mmap-private", "fork"],
];
const refusals = new Set(["EPERM", "ENOSYS", "EACCES"]);

describe("system calls within the walls", function () {
  this.timeout(60_000);
  const sandbox = openSandbox({ dataDirectory: temporaryFolder(), preference: () => undefined });
  const folder = temporaryFolder();
  const program = path.join(folder, "calls");
  before(function () {
    needsPrograms.call(this, ["bwrap", "gcc"]);
    execFileSync("gcc", ["-static", "-O1", "-o", program, path.join(import.meta.dirname, "system-calls.c")]);
  });

  async function run(kind: Kind, words: readonly string[] = []) {
    const plan: SandboxPlan = {
      kind,
      read: [{ from: program, to: "/calls" }],
      write: [],
      keep: [],
      network: "none",
      limits: { dataBytes: 2 ** 28, fileBytes: 2 ** 20, scratchBytes: 2 ** 20, processes: 50, files: 64 },
    };
    const line = await sandbox.wrap(plan, "/calls", words);
    return spawnSync(line.program, line.args, { encoding: "utf8", env: { ...line.env }, timeout: 20_000 });
  }
  const outcomesOf = (output: string): ReadonlyMap<string, string> =>
    new Map(
      output
        .trim()
        .split("\n")
        .map((line) => line.split(" ") as [string, string]),
    );

  for (const kind of ["plugin", "program"] as const) {
    it(`X14 (${kind}) each call that could lead out is refused by name`, async () => {
      const { stdout, stderr } = await run(kind);
      const outcomes = outcomesOf(stdout);
      expect(outcomes.size, stderr).to.be.at.least(68);
      const allowed = new Set(kind === "program" ? allowedToPrograms : ["mmap-private"]);
      const tried = [...outcomes].filter(([name]) => !allowed.has(name));
      expect(tried.filter(([, outcome]) => !refusals.has(outcome))).to.deep.equal([]);
      const works = ["mmap-private", ...(kind === "program" ? ["fork", "socket-inet", "memfd_create"] : [])];
      expect(works.filter((name) => outcomes.get(name) !== "DONE")).to.deep.equal([]);
    });

    it(`X14 (${kind}) calls by another architecture's numbers end the process`, async function () {
      if (process.arch !== "x64") return this.skip();
      for (const name of ["x32", "int80"]) {
        // A kernel without 32-bit calls has no such entry: there the processor ends any process that tries.
        const isUnknown = spawnSync(program, [name]).signal === "SIGSEGV";
        const { stdout, status } = await run(kind, [name]);
        expect({ stdout, status }, name).to.deep.equal({ stdout: "", status: 128 + (isUnknown ? 11 : 31) });
      }
    });
  }

  it("X14 every number is the one that the system's own library knows", function () {
    needsPrograms.call(this, ["scmp_sys_resolver"]);
    const resolve = (architecture: string, name: string): number =>
      Number(execFileSync("scmp_sys_resolver", ["-a", architecture, name], { encoding: "utf8" }));
    const wrong = Object.entries(systemCalls).filter(([name, [x64, arm64]]) => {
      const other = resolve("aarch64", name);
      return resolve("x86_64", name) !== x64 || (other < 0 ? null : other) !== arm64;
    });
    expect(wrong).to.deep.equal([]);
    expect(Object.keys(systemCalls).length).to.be.at.least(90);
  });
});
