import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { appearedSince, keptPlaces } from "../kept-names.ts";

const names = [
  ".git/config",
  ".git/hooks",
  ".mcp.json",
  ".envrc",
  ".yarnrc*",
  "node_modules/.bin",
  "CLAUDE.md",
  ".github/workflows",
];

describe("kept names", () => {
  let root: string;
  const at = (file: string): string => path.join(root, file);
  const put = (...files: readonly string[]): void =>
    files.forEach((file) => {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), file);
    });
  beforeEach(() => {
    root = temporaryFolder();
  });

  it("finds what exists at any depth, and the folders on the way", async () => {
    put(
      ".git/config",
      ".git/HEAD",
      "a/b/.git/config",
      "a/b/.GIT/x",
      "a/.envrc",
      ".yarnrc.yml",
      "a/src/config",
      "node_modules/.bin/x",
      "node_modules/p/.envrc",
    );
    const { readOnly, fixed, gap } = await keptPlaces(root, names);
    expect([...readOnly].sort()).to.deep.equal(
      [".git/config", ".yarnrc.yml", "a/.envrc", "a/b/.git/config", "node_modules/.bin"].map(at).sort(),
    );
    expect(fixed).to.deep.equal([".git", "a", "a/b", "a/b/.git", "node_modules"].map(at));
    expect(gap).to.equal(undefined);
  });

  it("keeps a .git that is a file, and where links inside the folder lead", async () => {
    put("sub/.git", "AGENTS.md");
    symlinkSync("AGENTS.md", at("CLAUDE.md"));
    symlinkSync("/etc/hostname", at(".envrc"));
    const { readOnly, links } = await keptPlaces(root, names);
    expect(readOnly).to.deep.equal([at("sub/.git"), at("AGENTS.md")]);
    expect([...links]).to.deep.equal([
      [at(".envrc"), "/etc/hostname"],
      [at("CLAUDE.md"), "AGENTS.md"],
    ]);
  });

  it("tells what has appeared, a new repository as a whole", async () => {
    put(".git/config", "a/.envrc", "AGENTS.md");
    symlinkSync("AGENTS.md", at("CLAUDE.md"));
    const before = await keptPlaces(root, names);
    expect(await appearedSince(before, root, names)).to.deep.equal([]);
    put(
      ".mcp.json",
      "b/.git/config",
      "b/.git/hooks/pre-commit",
      "c/d/.envrc",
      ".git/hooks/post-checkout",
      "plain.txt",
      "e/.git",
    );
    rmSync(at("CLAUDE.md"));
    symlinkSync("plain.txt", at("CLAUDE.md"));
    mkdirSync(at(".github"));
    const found = await appearedSince(before, root, names);
    expect([...found].sort()).to.deep.equal(
      [".git/hooks", ".mcp.json", "CLAUDE.md", "b/.git", "c/d/.envrc", "e/.git"].map(at).sort(),
    );
  });

  it("never takes for new what lies where it did not look before", async () => {
    put("a/.envrc", "b/c/.git/config", "b/c/.envrc", "b/1", "b/2", "d/e/f/.mcp.json");
    for (let most = 0; most < 14; most += 1) {
      const before = await keptPlaces(root, names, { most, time: 1000 });
      expect(await appearedSince(before, root, names), String(most)).to.deep.equal([]);
    }
    const before = await keptPlaces(root, names, { most: 5, time: 1000 });
    put("new/.envrc", "b/c/.mcp.json");
    expect(await appearedSince(before, root, names)).to.deep.equal([at("new/.envrc")]);
  });

  it("says when it did not look at everything", async () => {
    put("a/1", "a/2", "a/3");
    expect((await keptPlaces(root, names, { most: 2, time: 1000 })).gap).to.include("more than 2");
  });
});
