import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { workspace } from "./workspace.ts";

const diffOf = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

describe("apply_patch.patch, unified diffs", () => {
  it("updates by plain headers with times, wherever the lines have moved to", async () => {
    const { apply, text } = workspace({ "a.txt": "new\nnew\n1\n2\n3\n" });
    await apply(
      diffOf(
        "--- a.txt\t2026-01-01 00:00:00",
        "+++ a.txt\t2026-01-02 00:00:00",
        "@@ -1,3 +1,3 @@",
        " 1",
        "-2",
        "+two",
        " 3",
      ),
    );
    expect(text("a.txt")).to.equal("new\nnew\n1\ntwo\n3\n");
  });

  it("adds, deletes and renames by git's headers", async () => {
    const { apply, text, has } = workspace({
      "old.txt": "x\n",
      "from.txt": "1\n2\n",
      "empty.txt": "",
      "same.txt": "s\n",
    });
    const deleted = [
      "diff --git a/old.txt b/old.txt",
      "deleted file mode 100644",
      "--- a/old.txt",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-x",
    ];
    const renamed = [
      "diff --git a/from.txt b/to.txt",
      "similarity index 50%",
      "rename from from.txt",
      "rename to to.txt",
    ];
    const hunk = ["--- a/from.txt", "+++ b/to.txt", "@@ -1,2 +1,2 @@", " 1", "-2", "+two"];
    const empty = [
      "diff --git a/empty.txt b/empty.txt",
      "deleted file mode 100644",
      "index e69de29..0000000",
    ];
    const fresh = ["diff --git a/none.txt b/none.txt", "new file mode 100644", "index 0000000..e69de29"];
    const moved = [
      "diff --git a/same.txt b/b/same.txt",
      "similarity index 100%",
      "rename from same.txt",
      "rename to b/same.txt",
    ];
    const { data } = await apply(diffOf(...deleted, ...renamed, ...hunk, ...empty, ...fresh, ...moved));
    expect(
      (data as { readonly files: readonly { readonly action: string }[] }).files.map(({ action }) => action),
    ).to.deep.equal(["deleted", "moved", "deleted", "added", "moved"]);
    expect([text("to.txt"), text("none.txt"), text("b/same.txt")]).to.deep.equal(["1\ntwo\n", "", "s\n"]);
    expect(["old.txt", "from.txt", "empty.txt", "same.txt"].map(has)).to.deep.equal([
      false,
      false,
      false,
      false,
    ]);
  });

  it("mends wrong counts, and applies every line", async () => {
    const { apply, text } = workspace({ "a.txt": "1\n2\n3\n", "b.txt": "x\n" });
    const second = ["--- a/b.txt", "+++ b/b.txt", "@@ -1,9 +1,9 @@", "-x", "+y"];
    await apply(
      diffOf("--- a/a.txt", "+++ b/a.txt", "@@ -1,1 +1,1 @@", " 1", "-2", "+two", "+half", " 3", ...second),
    );
    expect([text("a.txt"), text("b.txt")]).to.deep.equal(["1\ntwo\nhalf\n3\n", "y\n"]);
  });

  it("takes deleted and added lines that look like file headers for lines", async () => {
    const { apply, text } = workspace({ "a.sql": "-- old\nselect 1;\n" });
    await apply(diffOf("--- a/a.sql", "+++ b/a.sql", "@@ -1,2 +1,2 @@", "--- old", "+++ new", " select 1;"));
    expect(text("a.sql")).to.equal("++ new\nselect 1;\n");
  });

  it("adds and removes the last line feed as the diff says", async () => {
    const { apply, text } = workspace({ "a.txt": "1\n2", "b.txt": "1\n2\n" });
    const open = "\\ No newline at end of file";
    await apply(diffOf("--- a/a.txt", "+++ b/a.txt", "@@ -1,2 +1,2 @@", " 1", "-2", open, "+2"));
    await apply(diffOf("--- a/b.txt", "+++ b/b.txt", "@@ -1,2 +1,2 @@", " 1", "-2", "+2", open));
    expect([text("a.txt"), text("b.txt")]).to.deep.equal(["1\n2\n", "1\n2"]);
  });

  it("takes a mail with its signature", async () => {
    const { apply, text } = workspace({ "a.txt": "1\n" });
    await apply(
      diffOf(
        "Subject: x",
        "",
        "---",
        " a.txt | 2 +-",
        "",
        "diff --git a/a.txt b/a.txt",
        "--- a/a.txt",
        "+++ b/a.txt",
        "@@ -1 +1 @@",
        "-1",
        "+2",
        "-- ",
        "2.39.5",
      ),
    );
    expect(text("a.txt")).to.equal("2\n");
  });
});

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync(
    "git",
    ["-c", "core.hooksPath=/dev/null", "-c", "user.name=t", "-c", "user.email=t@t", ...args],
    {
      cwd,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
    },
  );

/** Numbers from a seed, the same on every run (Lehmer, MINSTD). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const names = [
  "plain.txt",
  "with space.txt",
  "tab\there.txt",
  'quo"te.txt',
  "üñí.txt",
  "line\nfeed.txt",
  "deep/er/file.txt",
  "back\\slash.txt",
];

describe("apply_patch.patch, diffs that git writes", function () {
  this.timeout(60_000);

  before(function () {
    try {
      git("/", "--version");
    } catch {
      console.warn("skipped: the Debian package git is missing");
      this.skip();
    }
  });

  for (let seed = 1; seed <= 12; seed += 1) {
    it(`gives what git has, from seed ${seed}`, async () => {
      const random = numbers(seed);
      const lineEnd = random(3) === 0 ? "\r\n" : "\n";
      const textOf = (prefix: string) =>
        Array.from({ length: 3 + random(30) }, (_, line) => `${prefix} ${line} ${random(1000)}`).join(
          lineEnd,
        ) + (random(2) === 0 ? lineEnd : "");
      const before = Object.fromEntries(names.map((name) => [name, textOf(name.slice(0, 3))]));
      const space = workspace(before);
      const other = temporaryFolder();
      cpSync(space.root, other, { recursive: true });
      git(other, "init", "-q");
      git(other, "add", "-A");
      git(other, "commit", "-qm", "before");
      for (const name of names) change(path.join(other, name), random, lineEnd);
      git(other, "add", "-A");
      const diff = git(other, "diff", "--cached", "-M", `-U${random(4)}`, "HEAD");
      await space.apply(diff);
      const kept = git(other, "ls-files", "-z")
        .split("\0")
        .filter((name) => name !== "");
      expect(kept.map((name) => [name, space.text(name)])).to.deep.equal(
        kept.map((name) => [name, readFileSync(path.join(other, name), "utf8")]),
      );
      expect(names.filter((name) => !kept.includes(name) && space.has(name))).to.deep.equal([]);
    });
  }
});

function change(file: string, random: (below: number) => number, lineEnd: string): void {
  const kind = random(5);
  const lines = readFileSync(file, "utf8").split(lineEnd);
  if (kind === 0) return rmSync(file);
  for (let edits = 1 + random(3); edits > 0; edits -= 1)
    lines.splice(random(lines.length), random(2), `edit ${random(100_000)}`);
  if (kind === 1) {
    rmSync(file);
    mkdirSync(`${file}-moved`);
    return writeFileSync(`${file}-moved/here`, lines.join(lineEnd));
  }
  writeFileSync(file, lines.join(lineEnd));
}
