import { spawn, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as yieldNow } from "node:timers/promises";
import { expect } from "chai";
import type { SandboxPlan } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openSandbox } from "../sandbox.ts";
import { needsSandbox } from "./needs-sandbox.ts";

const megabyte = 2 ** 20;

describe("a program in the sandbox", function () {
  this.timeout(20_000);
  const sandbox = openSandbox({ dataDirectory: temporaryFolder(), preference: () => undefined });
  let folder: string;
  before(needsSandbox);
  beforeEach(() => {
    folder = temporaryFolder();
  });

  const plan = (more: Partial<SandboxPlan> = {}): SandboxPlan => ({
    kind: "program",
    read: [],
    write: [folder],
    keep: [],
    network: "none",
    limits: {
      dataBytes: 512 * megabyte,
      fileBytes: 8 * megabyte,
      scratchBytes: 2 * megabyte,
      processes: 100,
      files: 128,
    },
    workingDirectory: folder,
    ...more,
  });

  async function shell(script: string, more: Partial<SandboxPlan> = {}): Promise<SpawnSyncReturns<string>> {
    const { program, args, env, release } = await sandbox.wrap(plan(more), "/bin/sh", ["-c", script]);
    const environment = { PATH: "/usr/bin:/bin", ...env };
    const answer = spawnSync(program, args, { env: environment, encoding: "utf8", timeout: 15_000 });
    await release();
    return answer;
  }

  it("works in its folder, with an empty home", async () => {
    const { stdout, stderr, status } = await shell("pwd; echo in > made; ls -A ~; exit 3");
    expect({ stdout, stderr, status }).to.deep.equal({ stdout: `${folder}\n`, stderr: "", status: 3 });
    expect(readFileSync(path.join(folder, "made"), "utf8")).to.equal("in\n");
  });

  it("sees and writes nothing else", async () => {
    const other = temporaryFolder();
    writeFileSync(path.join(other, "secret"), "canary");
    const { stdout } = await shell(
      `cat ${other}/secret || echo gone; for to in ${other}/x /usr/x /etc/x /x /dev/x; do echo x > $to || echo refused; done`,
    );
    expect(stdout).to.equal(`gone\n${"refused\n".repeat(5)}`);
    expect(existsSync(path.join(other, "x"))).to.equal(false);
  });

  it("reads what the plan adds", async () => {
    const other = temporaryFolder();
    writeFileSync(path.join(other, "note"), "hello");
    const read = [other, { from: path.join(other, "note"), to: "/etc/note" }];
    expect((await shell(`cat ${other}/note /etc/note`, { read })).stdout).to.equal("hellohello");
  });

  it("keeps what must not change, and the folders above it in their place", async () => {
    mkdirSync(path.join(folder, "a/b"), { recursive: true });
    const keep = [path.join(folder, "a/b/config")];
    writeFileSync(keep[0]!, "old");
    const { stdout } = await shell(
      "for try in 'echo new > a/b/config' 'rm a/b/config' 'mv a/b/config x' 'mv a/b x' 'mv a x'; do sh -c \"$try\" || echo refused; done; echo y > a/b/other",
      { keep },
    );
    expect(stdout).to.equal("refused\n".repeat(5));
    expect(readFileSync(keep[0]!, "utf8")).to.equal("old");
    expect(readFileSync(path.join(folder, "a/b/other"), "utf8")).to.equal("y\n");
  });

  it("fills no more than its scratch, and writes no larger file than it may", async () => {
    const fill = (to: string, megabytes: number): string =>
      `head -c ${megabytes * megabyte} /dev/zero > ${to} || echo full`;
    const { stdout } = await shell([fill("/tmp/x", 4), fill("/dev/shm/x", 4), fill("big", 16)].join("; "));
    expect(stdout.startsWith("full\nfull\n"), stdout).to.equal(true);
    expect(readFileSync(path.join(folder, "big")).length).to.be.at.most(8 * megabyte);
  });

  it("is gone with its process group, whenever that is ended while it starts", async function () {
    this.timeout(60_000);
    const { program, args, env, release } = await sandbox.wrap(plan(), "/bin/sleep", ["600"]);
    for (let round = 0; round < 150; round += 1) {
      const child = spawn(program, args, { env, detached: true });
      const end = (signal: NodeJS.Signals): void => {
        try {
          process.kill(-child.pid!, signal);
        } catch {
          // Nobody is left.
        }
      };
      child.once("exit", () => end("SIGKILL"));
      const closed = once(child, "close", { signal: AbortSignal.timeout(10_000) });
      const begun = performance.now();
      while (performance.now() - begun < round / 10) await yieldNow();
      end("SIGTERM");
      await closed;
    }
    await release();
  });

  it("X16 (program) sees only its own processes, and cannot change the kernel's settings", async () => {
    const { stdout } = await shell(
      `ls -d /proc/${process.pid} || echo none; ls -d /proc/[0-9]* | wc -l; ( : >> /proc/sys/kernel/core_pattern ) || echo refused`,
    );
    const [host, count, settings] = stdout.trim().split("\n");
    expect({ host, settings }).to.deep.equal({ host: "none", settings: "refused" });
    expect(Number(count)).to.be.below(8);
  });
});
