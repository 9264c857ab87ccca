import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect } from "chai";
import { root } from "../architecture/tree.ts";

describe("the watch for a provider's key", () => {
  it("fails a run in which the key got out, and says where", function () {
    this.timeout(60_000);
    const mocha = path.join(root, "node_modules", "mocha", "bin", "mocha.js");
    const { status, stdout } = spawnSync(process.execPath, [mocha, "test/support/leaks.fixture.ts"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(status).to.not.equal(0);
    expect(stdout).to.include("1 passed, 0 failed").and.include("A provider's key got out, in:");
    expect(stdout).to.include("a line of the log").and.include("the environment of");
  });
});
