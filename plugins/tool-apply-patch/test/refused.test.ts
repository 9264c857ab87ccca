import { mkdirSync, symlinkSync } from "node:fs";
import { expect } from "chai";
import { blocks, workspace } from "./workspace.ts";

const diffOf = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;
const files = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" };
const good = ["*** Add File: new.txt", "+x", "*** Update File: a.txt", "@@", "-a", "+A"];

describe("apply_patch.patch, all or nothing", () => {
  for (const [why, last, code] of [
    ["matches nowhere", ["*** Update File: b.txt", "@@", "-none", "+x"], "not_found"],
    ["updates a missing file", ["*** Update File: none.txt", "@@", "-a", "+x"], "file_not_found"],
    ["deletes a missing file", ["*** Delete File: none.txt"], "file_not_found"],
    ["adds a file that exists", ["*** Add File: b.txt", "+x"], "conflict"],
    [
      "moves onto a file that exists",
      ["*** Update File: b.txt", "*** Move to: c.txt", "@@", "-b", "+x"],
      "conflict",
    ],
    ["names a file twice", ["*** Delete File: a.txt"], "invalid_value"],
    ["names a file twice in two spellings", ["*** Delete File: ./a.txt"], "invalid_value"],
    [
      "has two hunks on one line",
      ["*** Update File: b.txt", "@@", "-b", "+x", "@@", "-b", "+y"],
      "invalid_value",
    ],
  ] as const) {
    it(`T08: changes nothing when a part of it ${why}`, async () => {
      const { failure, has } = workspace(files);
      expect((await failure(blocks(...good, ...last))).code).to.equal(code);
      expect(has("new.txt")).to.equal(false);
    });
  }

  for (const [why, last, code] of [
    ["leaves the folder", ["*** Add File: ../e", "+x"], "path_escape"],
    ["leaves the folder further on", ["*** Add File: x/../../e", "+x"], "path_escape"],
    [
      "leaves the folder by a move",
      ["*** Update File: b.txt", "*** Move to: x/../../e", "@@", "-b", "+x"],
      "path_escape",
    ],
    ["has an absolute name", ["*** Add File: /pergola-test-e", "+x"], "permission_denied"],
    [
      "moves to an absolute name",
      ["*** Update File: b.txt", "*** Move to: /pergola-test-e"],
      "permission_denied",
    ],
    ["adds a hook", ["*** Add File: .git/hooks/pre-commit", "+x"], "permission_denied"],
    [
      "adds a hook in another spelling",
      ["*** Add File: sub/.GIT/hooks/pre-commit", "+x"],
      "permission_denied",
    ],
    ["moves a file into .git", ["*** Update File: b.txt", "*** Move to: .git/config"], "permission_denied"],
    ["goes through a link", ["*** Add File: out/e", "+x"], "permission_denied"],
    [
      "updates a link's target outside",
      ["*** Update File: out/hostname", "@@", "-x", "+y"],
      "permission_denied",
    ],
    ["holds a NUL in a name", ["*** Add File: a\0b", "+x"], "invalid_value"],
  ] as const) {
    it(`apply_patch family: refuses the whole patch when a part of it ${why}`, async () => {
      const { failure, has, at } = workspace(files);
      symlinkSync("/etc", at("out"));
      mkdirSync(at(".git/hooks"), { recursive: true });
      expect((await failure(blocks(...good, ...last))).code).to.equal(code);
      expect([has("new.txt"), has(".git/hooks/pre-commit")]).to.deep.equal([false, false]);
    });
  }

  it("apply_patch family: refuses a diff that makes a link and writes through it", async () => {
    const { failure, has } = workspace(files);
    const link = [
      "diff --git a/l b/l",
      "new file mode 120000",
      "--- /dev/null",
      "+++ b/l",
      "@@ -0,0 +1 @@",
      "+/etc",
      "\\ No newline at end of file",
    ];
    const through = [
      "diff --git a/l/x b/l/x",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/l/x",
      "@@ -0,0 +1 @@",
      "+x",
    ];
    expect((await failure(diffOf(...link, ...through))).message).to.contain("a link");
    expect(has("l")).to.equal(false);
  });

  it("apply_patch family: changes nothing when its last file cannot be written", async () => {
    const { failure, has } = workspace(files);
    expect((await failure(blocks(...good, "*** Add File: b.txt/x", "+x"))).code).to.be.oneOf([
      "invalid_value",
      "file_not_found",
      "conflict",
    ]);
    expect(has("new.txt")).to.equal(false);
  });

  for (const [why, patch] of [
    ["is empty", " "],
    ["is no patch", "please change a.txt"],
    ["has no end", "*** Begin Patch\n*** Add File: x\n+y"],
    ["names no file", blocks()],
    ["names an empty path", blocks("*** Add File: ", "+x")],
    ["moves to an empty path", blocks("*** Update File: a.txt", "*** Move to: ")],
    ["adds lines without +", blocks("*** Add File: x", "y")],
    ["has lines without a mark", blocks("*** Update File: a.txt", "@@", "xx")],
    ["updates nothing", blocks("*** Update File: a.txt")],
    ["has text before the files", blocks("hello", "*** Delete File: a.txt")],
    ["has lines below a deletion", blocks("*** Delete File: a.txt", "-b")],
    ["is a diff without file headers", diffOf("@@ -1 +1 @@", "-a", "+b")],
    ["is a diff with one file header", diffOf("--- a/a.txt", "@@ -1 +1 @@", "-a", "+b")],
    ["is a diff of two names", diffOf("--- a.txt", "+++ b.txt", "@@ -1 +1 @@", "-a", "+b")],
    [
      "changes a binary file",
      diffOf("diff --git a/x b/x", "index 1..2 100644", "Binary files a/x and b/x differ"),
    ],
    [
      "holds a binary patch",
      diffOf("diff --git a/x b/x", "index 1..2 100644", "GIT binary patch", "literal 1", "Ic$x"),
    ],
    [
      "changes a submodule",
      diffOf(
        "diff --git a/s b/s",
        "new file mode 160000",
        "--- /dev/null",
        "+++ b/s",
        "@@ -0,0 +1 @@",
        "+Subproject commit 1",
      ),
    ],
    ["only changes a mode", diffOf("diff --git a/a.txt b/a.txt", "old mode 100644", "new mode 100755")],
    [
      "copies a file",
      diffOf("diff --git a/a.txt b/d.txt", "similarity index 100%", "copy from a.txt", "copy to d.txt"),
    ],
    [
      "has changed lines outside its hunks",
      diffOf("--- a/a.txt", "+++ b/a.txt", "@@ -1 +1 @@", "-a", "+b", "", "text", "+lost"),
    ],
    ["deletes more than the diff knows", diffOf("--- a/long.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-1")],
    ["adds a file with old lines", diffOf("--- /dev/null", "+++ b/x", "@@ -1 +1,2 @@", " a", "+b")],
  ] as const) {
    it(`refuses what ${why}`, async () => {
      expect((await workspace({ "a.txt": "a\n", "long.txt": "1\n2\n" }).failure(patch)).code).to.equal(
        "invalid_value",
      );
    });
  }

  it("refuses to rewrite what is no UTF-8 text", async () => {
    const { failure } = workspace({
      "latin.txt": Buffer.from("caf\xe9\na\n", "latin1"),
      "nul.txt": "a\n\0\n",
    });
    for (const file of ["latin.txt", "nul.txt"])
      expect((await failure(blocks(`*** Update File: ${file}`, "@@", "-a", "+b"))).code, file).to.equal(
        "invalid_value",
      );
  });
});
