import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { openSupplyScene, type SupplyScene } from "../support/supply-scene.ts";
import { needsPrograms } from "./support/needs-programs.ts";

describe("a program that pretends to be the sandbox", function () {
  this.timeout(240_000);
  let scene: SupplyScene;
  before(async function () {
    needsPrograms.call(this, ["bwrap"]);
    scene = await openSupplyScene();
    await scene.add(scene.dice());
  });
  after(() => (scene as SupplyScene | undefined)?.close());

  it("X27 a bwrap that stands earlier on PATH is not used", async () => {
    const programs = path.join(scene.folder, "bin");
    const marker = path.join(scene.folder, "pretender-ran");
    mkdirSync(programs);
    writeFileSync(path.join(programs, "bwrap"), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    const PATH = `${programs}:${process.env["PATH"] ?? ""}`;
    execFileSync("sh", ["-c", "bwrap"], { env: { PATH } });
    expect(existsSync(marker), "it stands first on PATH").to.equal(true);
    rmSync(marker);
    const { code, stdout } = await scene.project.run(["tools", "call", "dice.roll", "--yes"], {
      environment: { ...scene.project.environment, PATH },
    });
    expect([code, stdout.includes("rolled"), existsSync(marker)]).to.deep.equal([0, true, false]);
  });
});
