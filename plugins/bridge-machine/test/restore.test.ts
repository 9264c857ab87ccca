import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { codeOf, filesOf, folders, type Folders } from "./folders.ts";

describe("putting files back", () => {
  let at: Folders;
  const inside = (...parts: string[]) => path.join(at.work, ...parts);
  beforeEach(() => {
    at = folders();
    writeFileSync(inside("a.txt"), "a");
  });

  it("gives them content and mode, removes others, all or none", async () => {
    const files = filesOf(at);
    writeFileSync(inside("b.txt"), "b");
    await files.restore([
      { path: inside("a.txt"), content: "old", mode: 0o600 },
      { path: inside("new", "run.sh"), content: "echo", mode: 0o4755 },
      { path: inside("b.txt") },
    ]);
    expect([readFileSync(inside("a.txt"), "utf8"), statSync(inside("a.txt")).mode & 0o7777]).to.deep.equal([
      "old",
      0o600,
    ]);
    expect(statSync(inside("new", "run.sh")).mode & 0o7777).to.equal(0o755);
    expect(existsSync(inside("b.txt"))).to.equal(false);
    const gone = files.restore([{ path: inside("a.txt"), content: "other" }, { path: inside("b.txt") }]);
    expect(await codeOf(gone)).to.equal("file_not_found");
    expect(readFileSync(inside("a.txt"), "utf8")).to.equal("old");
  });

  it("goes through no link, neither at the place nor on the way", async () => {
    const files = filesOf(at);
    mkdirSync(inside("real"));
    writeFileSync(inside("real", "a.txt"), "a");
    symlinkSync(inside("real"), inside("way"));
    symlinkSync(inside("a.txt"), inside("link"));
    for (const change of [
      { path: inside("way", "a.txt"), content: "x" },
      { path: inside("way", "a.txt") },
      { path: inside("link"), content: "x" },
    ])
      expect(await codeOf(files.restore([change])), change.path).to.equal("permission_denied");
    expect([
      readFileSync(inside("real", "a.txt"), "utf8"),
      readFileSync(inside("a.txt"), "utf8"),
    ]).to.deep.equal(["a", "a"]);
    await files.restore([{ path: inside("link") }]);
    expect(lstatSync(inside("link"), { throwIfNoEntry: false })).to.equal(undefined);
    expect(existsSync(inside("a.txt"))).to.equal(true);
  });

  it("removes folders that are empty, and no others", async () => {
    const files = filesOf(at);
    mkdirSync(inside("full", "empty"), { recursive: true });
    expect(await files.removeDirectory(inside("full"))).to.equal(false);
    expect(await files.removeDirectory(inside("full", "empty"))).to.equal(true);
    renameSync(inside("full"), inside("moved"));
    symlinkSync(inside("moved"), inside("full"));
    expect(await codeOf(files.removeDirectory(inside("full")))).to.equal("invalid_value");
    expect(existsSync(inside("moved"))).to.equal(true);
    expect(await codeOf(files.removeDirectory(inside("a.txt")))).to.equal("invalid_value");
  });
});
