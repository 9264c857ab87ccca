import { spawnSync } from "node:child_process";
import { expect } from "chai";
import { root } from "./tree.ts";

const topLevel = new Set(
  [
    "core",
    "docs",
    "examples",
    "plugins",
    "scripts",
    "sdk",
    "test",
    "package.json",
    "package-lock.json",
  ].concat([
    "tsconfig.json",
    "eslint.config.js",
    "README.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE",
    "Dockerfile",
  ]),
);

describe("the files under version control (needs the package git, and a clone)", () => {
  const { status, stdout } = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  const tracked = status === 0 ? stdout.split("\0").slice(0, -1) : [];

  before(function () {
    if (tracked.length === 0) this.skip();
  });

  it("stand in the folders of the top level, besides those of tools, which begin with a dot", () => {
    const names = new Set(tracked.map((file) => file.split("/")[0] ?? ""));
    expect([...names].filter((name) => !topLevel.has(name) && !name.startsWith("."))).to.deep.equal([]);
  });

  it("have names that every shell and file system takes", () => {
    expect(tracked.filter((file) => !/^[\w@./-]+$/.test(file))).to.deep.equal([]);
  });
});
