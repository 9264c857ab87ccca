import { spawnSync } from "node:child_process";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { startHost, type HostProcess } from "./support/host-process.ts";

const isThere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** Writes records until there are `count`, and says how each was answered. */
async function writeMany(host: HostProcess, count: number): Promise<readonly (string | undefined)[]> {
  const answers: (string | undefined)[] = [];
  for (let number = 0; number < count; number++) answers.push(await host.ask(`put n${number}`));
  return answers;
}

/** The records that were acknowledged and cannot be read. */
async function lost(host: HostProcess, answers: readonly (string | undefined)[]): Promise<readonly number[]> {
  const missing: number[] = [];
  for (const [number, answer] of answers.entries()) {
    if (answer === "done" && (await host.ask(`get n${number}`)) !== "found") missing.push(number);
  }
  return missing;
}

describe("a disk that fails (F6)", function () {
  this.timeout(20_000);

  it("may refuse to write: writes fail, reads are answered, and everything goes on without a restart when the disk does", async function () {
    if (!isThere("prlimit")) return this.skip();
    const megabyte = "2048";
    const host = await startHost(temporaryFolder(), {
      through: ["sh", "-c", `ulimit -S -f ${megabyte}; exec "$@"`, "sh"],
    });
    expect(await host.line()).to.equal("opened");
    const answers = await writeMany(host, 40);
    expect(answers.slice(0, 2)).to.deep.equal(["done", "done"]);
    expect(answers.at(-1)).to.equal("storage_unavailable");
    expect(await lost(host, answers)).to.deep.equal([]);
    spawnSync("prlimit", ["--pid", String(host.pid), "--fsize=unlimited"]);
    expect(await host.ask("put again")).to.equal("done");
    await host.stop();
  });

  it("may fail to sync: what was not synced is not acknowledged, and the next write is", async function () {
    if (!isThere("strace")) return this.skip();
    const fault = "inject=fsync,fdatasync:error=EIO:when=30..32";
    const through = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", fault];
    const host = await startHost(temporaryFolder(), { durability: "power", through });
    expect(await host.line()).to.equal("opened");
    const answers = await writeMany(host, 60);
    expect(answers.filter((answer) => answer === "storage_unavailable").length).to.be.within(1, 3);
    expect(answers.at(-1)).to.equal("done");
    expect(await lost(host, answers)).to.deep.equal([]);
    await host.stop();
  });
});
