import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { SandboxPlan } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openSandbox } from "../sandbox.ts";

const ignored = (_title: string, _tests: (this: Mocha.Suite) => void): void => undefined;

/** By the real program. Elsewhere there is nothing that one could install for it. */
(process.platform === "darwin" ? describe : ignored)("the sandbox of macOS", function () {
  this.timeout(60_000);
  const sandbox = openSandbox({ dataDirectory: temporaryFolder(), preference: () => undefined });
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(temporaryFolder());
  });

  async function shell(script: string, more: Partial<SandboxPlan> = {}): Promise<string> {
    const plan: SandboxPlan = {
      kind: "program",
      read: [],
      write: [folder],
      keep: [],
      network: "none",
      limits: { dataBytes: Infinity, fileBytes: 2 ** 24, scratchBytes: 2 ** 20, processes: 100, files: 256 },
      ...more,
    };
    const { program, args, env, release } = await sandbox.wrap(plan, "/bin/sh", ["-c", script]);
    const environment = { PATH: "/usr/bin:/bin", ...env };
    const { stdout, stderr } = spawnSync(program, args, { env: environment, cwd: folder, encoding: "utf8" });
    await release();
    return stdout + stderr.replaceAll(/^.*(not permitted|denied).*\n/gm, "");
  }

  it("refuses a plugin all ten forbidden things, and lets programs run", async () => {
    expect(await sandbox.state("plugin")).to.deep.include({ works: true, by: "sandbox-exec" });
    expect(await sandbox.state("program")).to.deep.include({ works: true });
  });

  it("lets a program write its folder and its own home, and nothing else", async () => {
    const other = realpathSync(temporaryFolder());
    writeFileSync(path.join(other, "secret"), "canary");
    expect(await shell("echo in > made; cat made; echo x > ~/y && cat ~/y")).to.equal("in\nx\n");
    const harms = [`cat ${other}/secret`, `echo x > ${other}/x`, "ls ~root", "curl -sm5 http://1.1.1.1/"];
    for (const harm of harms) expect(await shell(`${harm} || echo refused`), harm).to.equal("refused\n");
    expect(existsSync(path.join(other, "x"))).to.equal(false);
  });

  it("keeps names, there or not, and the folders that they begin with", async () => {
    mkdirSync(path.join(folder, ".git/hooks"), { recursive: true });
    writeFileSync(path.join(folder, ".git/config"), "before");
    const keepNames = [".git/config", ".git/hooks", ".envrc"];
    const harms = [
      "echo evil > .git/config",
      "echo evil > .GIT/CONFIG",
      "echo evil > .git/hooks/pre-commit",
      "echo evil > .envrc",
      "mv .git x",
      "mkdir y && echo evil > y/.envrc",
    ];
    for (const harm of harms)
      expect(await shell(`(${harm}) 2>/dev/null || echo refused`, { keepNames }), harm).to.equal("refused\n");
    expect(readFileSync(path.join(folder, ".git/config"), "utf8")).to.equal("before");
    expect(await shell("echo ok > .git/index && cat .git/index", { keepNames })).to.equal("ok\n");
  });
});
