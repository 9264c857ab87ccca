import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { watchProgram, type Program } from "../support/pergola.ts";

/** What scripts/build.mjs does before anything else. */
const code = `
import { appendFileSync } from "node:fs";
import { oneBuild } from ${JSON.stringify(path.join(root, "scripts", "one-build.mjs"))};
const [folder, log] = process.argv.slice(1);
await oneBuild(folder, (pid) => process.stderr.write("waits for " + pid + "\\n"));
appendFileSync(log, "begins " + process.pid + "\\n");
process.stderr.write("builds\\n");
process.stdin.on("data", () => {
  appendFileSync(log, "ends " + process.pid + "\\n");
  process.exit();
});
`;

describe("several builds at once", function () {
  this.timeout(20_000);
  let [folder, log] = ["", ""];
  const begun: Program[] = [];
  beforeEach(() => {
    folder = path.join(temporaryFolder("pergola-builds-"), "cache");
    log = path.join(path.dirname(folder), "log");
  });
  afterEach(async () => {
    await Promise.all(begun.splice(0).map((one) => one.end("SIGKILL")));
  });

  const build = (): Program => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", code, folder, log]);
    const program = watchProgram(child);
    begun.push(program);
    return program;
  };
  const finish = (program: Program): Promise<unknown> => {
    program.child.stdin?.write("\n");
    return program.ended;
  };

  it("are made one after the other", async () => {
    const first = build();
    await first.wrote("builds");
    const others = [build(), build()];
    for (const one of others) await one.wrote(`waits for ${first.child.pid}`);
    expect(others.map(({ stderr }) => stderr.includes("builds"))).to.deep.equal([false, false]);
    await finish(first);
    const second = await Promise.race(others.map(async (one) => (await one.wrote("builds"), one)));
    await finish(second);
    const third = others.find((one) => one !== second)!;
    await third.wrote("builds");
    await finish(third);
    const pids = [first, second, third].map(({ child }) => child.pid);
    const lines = pids.flatMap((pid) => [`begins ${pid}`, `ends ${pid}`]);
    expect(readFileSync(log, "utf8").trim().split("\n")).to.deep.equal(lines);
    expect(existsSync(path.join(folder, "build.pid"))).to.equal(false);
  });

  it("do not wait for one that was killed", async () => {
    const first = build();
    await first.wrote("builds");
    const [second, third] = [build(), build()];
    for (const one of [second, third]) await one.wrote("waits for");
    await first.end("SIGKILL");
    await Promise.race([second, third].map(async (one) => one.wrote("builds")));
    const lines = readFileSync(log, "utf8").match(/begins/g);
    expect(lines).to.have.length(2);
  });

  it("do not wait for a process that is long gone", async () => {
    const first = build();
    await first.wrote("builds");
    await finish(first);
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeFileSync(path.join(folder, "build.pid"), String(pid));
    await build().wrote("builds");
  });
});
