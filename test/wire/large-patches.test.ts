import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { execute, openTools, type ToolStage } from "../support/tool-scene.ts";

describe("a large patch", function () {
  this.timeout(120_000);
  let stage: ToolStage;

  before(async () => {
    stage = await openTools();
  });
  after(() => stage.end());

  it("R2, R5: is applied while the host answers others", async () => {
    const folder = temporaryFolder();
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}`);
    writeFileSync(path.join(folder, "a.txt"), lines.map((line) => `${line}\n`).join(""));
    const hunks = lines.map((line) => `@@\n-${line}\n+${line}!\n`).join("");
    const patch = `*** Begin Patch\n*** Update File: a.txt\n${hunks}*** End Patch`;

    let isDone = false;
    const work = execute(stage, "apply_patch", { patch }, { workingDirectory: folder });
    void work.finally(() => (isDone = true));
    let answered = 0;
    while (!isDone) {
      expect((await stage.host.json("GET", "/health")).status).to.equal(200);
      answered += 1;
    }
    expect((await work).toolResult).to.include({ success: true, message: "Changed 1 file." });
    expect(answered).to.be.greaterThan(20);
    expect(readFileSync(path.join(folder, "a.txt"), "utf8")).to.equal(
      lines.map((line) => `${line}!\n`).join(""),
    );
  });
});
