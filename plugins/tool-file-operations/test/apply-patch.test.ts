import { expect } from "chai";
import { diffPath } from "../patch/diff-path.ts";
import { operationNamed, workspace } from "./context.ts";

const envelope = (...lines: readonly string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const effectOf = (patch: string): unknown => (operationNamed("apply_patch").effect as (args: unknown) => unknown)({ patch });
const touchesOf = (patch: string, folder = "."): unknown =>
  (operationNamed("apply_patch").touches as unknown as (args: unknown) => unknown)({ patch, target_directory: folder });

const code = "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 1\n    return x\n";

describe("apply_patch, between Begin Patch and End Patch", () => {
  it("adds, updates, moves and deletes", async () => {
    const { data, text, has } = workspace({ "old.txt": "one\ntwo\nthree\n", "gone.txt": "x", "from.txt": "a\nb\n" });
    const patch = envelope(
      "*** Add File: new/file.txt",
      "+first",
      "+",
      "+last",
      "*** Update File: old.txt",
      "@@",
      " one",
      "-two",
      "+2",
      " three",
      "*** Update File: from.txt",
      "*** Move to: to.txt",
      "@@",
      "-b",
      "+c",
      "*** Delete File: gone.txt",
    );
    expect(await data("apply_patch", { patch })).to.deep.equal({
      files: [
        { path: "new/file.txt", action: "added" },
        { path: "old.txt", action: "updated" },
        { path: "to.txt", action: "moved" },
        { path: "gone.txt", action: "deleted" },
      ],
      dry_run: false,
    });
    expect([text("new/file.txt"), text("old.txt"), text("to.txt")]).to.deep.equal(["first\n\nlast\n", "one\n2\nthree\n", "a\nc\n"]);
    expect([has("gone.txt"), has("from.txt")]).to.deep.equal([false, false]);
  });

  it("checks only, when asked for a dry run", async () => {
    const { data, text } = workspace({ "a.txt": "x\n" });
    const patch = envelope("*** Update File: a.txt", "@@", "-x", "+y");
    expect(await data("apply_patch", { patch, dry_run: true })).to.deep.include({ dry_run: true });
    expect(text("a.txt")).to.equal("x\n");
  });

  it("refuses a hunk that fits in two places, naming file and hunk", async () => {
    const { failure, text } = workspace({ "a.py": code });
    const error = await failure("apply_patch", { patch: envelope("*** Update File: a.py", "@@", "-    x = 1", "+    x = 2") });
    expect(error.code).to.equal("ambiguous_match");
    expect(error.message).to.contain("Hunk 1 of a.py").and.contain("2, 6");
    expect(text("a.py")).to.equal(code);
  });

  it("finds the place by the line after @@", async () => {
    const { run, text } = workspace({ "a.py": code });
    await run("apply_patch", { patch: envelope("*** Update File: a.py", "@@ def b():", "-    x = 1", "+    x = 2") });
    expect(text("a.py")).to.equal(code.replace(/x = 1(?![^]*x = 1)/, "x = 2"));
  });

  it("finds the place by several lines after @@", async () => {
    const nested = "class A\n  def f\n    1\nclass B\n  def f\n    1\n";
    const { run, text } = workspace({ "a.rb": nested });
    await run("apply_patch", { patch: envelope("*** Update File: a.rb", "@@ class B", "@@ def f", "-    1", "+    2") });
    expect(text("a.rb")).to.equal("class A\n  def f\n    1\nclass B\n  def f\n    2\n");
  });

  it("applies several hunks, in any order", async () => {
    const { run, text } = workspace({ "a.txt": "1\n2\n3\n4\n5\n" });
    await run("apply_patch", { patch: envelope("*** Update File: a.txt", "@@", "-4", "+four", "@@", "-2", "+two", "+two and a half") });
    expect(text("a.txt")).to.equal("1\ntwo\ntwo and a half\n3\nfour\n5\n");
  });

  it("joins two updates of one file", async () => {
    const { run, text } = workspace({ "a.txt": "1\n2\n3\n" });
    await run("apply_patch", {
      patch: envelope("*** Update File: a.txt", "@@", "-1", "+one", "*** Update File: a.txt", "@@", "-3", "+three"),
    });
    expect(text("a.txt")).to.equal("one\n2\nthree\n");
  });

  it("knows the end of the file, and adds there without any old line", async () => {
    const { run, text } = workspace({ "a.txt": "x\ny\nx\n" });
    await run("apply_patch", { patch: envelope("*** Update File: a.txt", "@@", "-x", "+z", "*** End of File") });
    expect(text("a.txt")).to.equal("x\ny\nz\n");
    await run("apply_patch", { patch: envelope("*** Update File: a.txt", "@@", "+end") });
    expect(text("a.txt")).to.equal("x\ny\nz\nend\n");
  });

  it("keeps CRLF and a missing line feed at the end", async () => {
    const { run, text } = workspace({ "a.txt": "one\r\ntwo\r\nthree" });
    await run("apply_patch", { patch: envelope("*** Update File: a.txt", "@@", " one", "-two", "+2", "+2b") });
    expect(text("a.txt")).to.equal("one\r\n2\r\n2b\r\nthree");
    await run("apply_patch", { patch: envelope("*** Update File: a.txt", "@@", "-three", "+3") });
    expect(text("a.txt")).to.equal("one\r\n2\r\n2b\r\n3");
  });

  for (const [why, last, codes] of [
    ["matches nowhere", ["*** Update File: b.txt", "@@", "-none", "+x"], "not_found"],
    ["updates a missing file", ["*** Update File: none.txt", "@@", "-a", "+x"], "file_not_found"],
    ["deletes a missing file", ["*** Delete File: none.txt"], "file_not_found"],
    ["adds a file that exists", ["*** Add File: b.txt", "+x"], "conflict"],
    ["moves onto a file that exists", ["*** Update File: b.txt", "*** Move to: c.txt", "@@", "-b", "+x"], "conflict"],
    ["names a file twice", ["*** Delete File: a.txt"], "invalid_value"],
    ["names a file twice in two spellings", ["*** Delete File: ./a.txt"], "invalid_value"],
    ["leaves the folder", ["*** Add File: ../e", "+x"], "path_escape"],
    ["leaves the folder by a move", ["*** Update File: b.txt", "*** Move to: x/../../e", "@@", "-b", "+x"], "path_escape"],
    ["lies outside", ["*** Add File: /pergola-test-e", "+x"], "permission_denied"],
    ["has two hunks on one line", ["*** Update File: b.txt", "@@", "-b", "+x", "@@", "-b", "+y"], "invalid_value"],
  ] as const) {
    it(`T08: changes nothing when a part of it ${why}`, async () => {
      const { failure, text, has } = workspace({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
      const error = await failure("apply_patch", {
        patch: envelope("*** Add File: new.txt", "+x", "*** Update File: a.txt", "@@", "-a", "+A", ...last),
      });
      expect(error.code).to.equal(codes);
      expect([text("a.txt"), text("b.txt"), text("c.txt"), has("new.txt")]).to.deep.equal(["a\n", "b\n", "c\n", false]);
    });
  }

  for (const [why, patch] of [
    ["is empty", " "],
    ["is no patch", "please change a.txt"],
    ["has no end", "*** Begin Patch\n*** Add File: x\n+y"],
    ["names no file", envelope()],
    ["names an empty path", envelope("*** Add File: ", "+x")],
    ["adds lines without +", envelope("*** Add File: x", "y")],
    ["has lines without a mark", envelope("*** Update File: a.txt", "@@", "xx")],
    ["updates nothing", envelope("*** Update File: a.txt")],
    ["has text before the files", envelope("hello", "*** Delete File: a.txt")],
  ] as const) {
    it(`refuses what ${why}`, async () => {
      expect((await workspace({ "a.txt": "a\n" }).failure("apply_patch", { patch })).code).to.equal("invalid_value");
    });
  }
});

describe("apply_patch, as a diff", () => {
  it("takes a git diff with all it can say", async () => {
    const { data, text, has } = workspace({
      "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n",
      "old name.txt": "x\ny\n",
      "gone.txt": "bye\n",
      "moved.txt": "same\n",
    });
    const patch = [
      "diff --git a/a.txt b/a.txt",
      "index 1111111..2222222 100644",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,3 +1,3 @@",
      " 1",
      "-2",
      "+two",
      " 3",
      "@@ -7,2 +7,3 @@ some heading",
      " 7",
      "+seven and a half",
      " 8",
      "diff --git a/new.txt b/new.txt",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/new.txt",
      "@@ -0,0 +1,2 @@",
      "+fresh",
      "+-- not a header",
      "\\ No newline at end of file",
      "diff --git a/gone.txt b/gone.txt",
      "deleted file mode 100644",
      "--- a/gone.txt",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-bye",
      "diff --git a/old name.txt b/new name.txt",
      "similarity index 60%",
      "rename from old name.txt",
      "rename to new name.txt",
      "--- a/old name.txt",
      "+++ b/new name.txt",
      "@@ -1,2 +1,2 @@",
      " x",
      "-y",
      "+z",
      "diff --git a/moved.txt b/sub/moved.txt",
      "similarity index 100%",
      "rename from moved.txt",
      "rename to sub/moved.txt",
      "",
    ].join("\n");
    expect(await data("apply_patch", { patch })).to.deep.equal({
      files: [
        { path: "a.txt", action: "updated" },
        { path: "new.txt", action: "added" },
        { path: "gone.txt", action: "deleted" },
        { path: "new name.txt", action: "moved" },
        { path: "sub/moved.txt", action: "moved" },
      ],
      dry_run: false,
    });
    expect(text("a.txt")).to.equal("1\ntwo\n3\n4\n5\n6\n7\nseven and a half\n8\n");
    expect(text("new.txt")).to.equal("fresh\n-- not a header");
    expect([text("new name.txt"), text("sub/moved.txt")]).to.deep.equal(["x\nz\n", "same\n"]);
    expect([has("gone.txt"), has("old name.txt"), has("moved.txt")]).to.deep.equal([false, false, false]);
  });

  it("takes a plain unified diff with times, and deletions that look like headers", async () => {
    const { run, text } = workspace({ "a.sql": "-- old\nselect 1\n" });
    const patch = "--- a.sql\t2026-01-01 00:00:00\n+++ a.sql\t2026-01-02 00:00:00\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n select 1\n";
    await run("apply_patch", { patch });
    expect(text("a.sql")).to.equal("++ new\nselect 1\n");
  });

  it("does not mind wrong counts and line numbers when the place is clear", async () => {
    const { run, text } = workspace({ "a.txt": "1\n2\n3\n4\n", "b.txt": "x\n" });
    await run("apply_patch", {
      patch: "--- a/a.txt\n+++ b/a.txt\n@@ -9,9 +9,9 @@\n 2\n-3\n+three\n--- a/b.txt\n+++ b/b.txt\n@@ -1,1 +1,1 @@\n-x\n+y\n",
    });
    expect([text("a.txt"), text("b.txt")]).to.deep.equal(["1\n2\nthree\n4\n", "y\n"]);
    await run("apply_patch", { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -9,1 +9,1 @@\n 2\n-three\n+3\n" });
    expect(text("a.txt")).to.equal("1\n2\n3\n4\n");
  });

  it("inserts where the diff says when there is nothing to match", async () => {
    const { run, text } = workspace({ "a.txt": "1\n2\n" });
    await run("apply_patch", { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1,0 +2 @@\n+one and a half\n" });
    expect(text("a.txt")).to.equal("1\none and a half\n2\n");
  });

  it("adds and removes the line feed at the end", async () => {
    const { run, text } = workspace({ "a.txt": "x\ny", "b.txt": "x\ny\n" });
    const open = "\\ No newline at end of file";
    await run("apply_patch", { patch: `--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n x\n-y\n${open}\n+y\n` });
    await run("apply_patch", { patch: `--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n x\n-y\n+y\n${open}\n` });
    expect([text("a.txt"), text("b.txt")]).to.deep.equal(["x\ny\n", "x\ny"]);
  });

  it("is also taken as diff, and applied below target_directory", async () => {
    expect(operationNamed("apply_patch").parameters["patch"]?.aliases).to.include("diff");
    const { run, text, failure } = workspace({ "sub/a.txt": "x\n" });
    await run("apply_patch", { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n", target_directory: "sub" });
    expect(text("sub/a.txt")).to.equal("y\n");
    const error = await failure("apply_patch", { patch: "--- a/../a.txt\n+++ b/../a.txt\n@@ -1 +1 @@\n-x\n+y\n", target_directory: "sub" });
    expect(error.code).to.equal("path_escape");
  });

  for (const [why, lines] of [
    ["makes a link", ["diff --git a/l b/l", "new file mode 120000", "--- /dev/null", "+++ b/l", "@@ -0,0 +1 @@", "+/etc"]],
    ["changes a submodule", ["diff --git a/s b/s", "new file mode 160000", "--- /dev/null", "+++ b/s", "@@ -0,0 +1 @@", "+x"]],
    ["is binary", ["diff --git a/x b/x", "GIT binary patch", "literal 0"]],
    ["copies", ["diff --git a/a.txt b/c.txt", "copy from a.txt", "copy to c.txt"]],
    ["has two names for a file", ["--- a.txt.orig", "+++ a.txt", "@@ -1 +1 @@", "-a", "+b"]],
    ["deletes a file with other lines", ["--- a/a.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"]],
    ["has a hunk without a file", ["@@ -1 +1 @@", "-a", "+b"]],
  ] as const) {
    it(`refuses a diff that ${why}`, async () => {
      const { failure, text, has } = workspace({ "a.txt": "a\nmore\n" });
      expect((await failure("apply_patch", { patch: lines.join("\n") })).code).to.equal("invalid_value");
      expect([text("a.txt"), has("l"), has("c.txt")]).to.deep.equal(["a\nmore\n", false, false]);
    });
  }

  it("reads git's quoted names", () => {
    expect(diffPath('"a/\\303\\244 \\"x\\"\\t.txt"')).to.equal('a/ä "x"\t.txt');
    expect(diffPath("/dev/null\t1970")).to.equal(undefined);
  });
});

describe("apply_patch for the policy", () => {
  const deleting = envelope(
    "*** Update File: a",
    "*** Move to: b",
    "@@",
    "-x",
    "+y",
    "*** Delete File: c",
    "*** Add File: ~/d",
    "+x",
    "*** Add File: /e",
    "+x",
  );

  it("is destructive when it deletes", () => {
    expect(effectOf(deleting)).to.equal("destructive");
    expect(effectOf(envelope("*** Add File: a", "+x"))).to.equal("write");
    expect(effectOf("nonsense")).to.equal("write");
  });

  it("A10: names every path, both ends of a move too", () => {
    expect(touchesOf(deleting, "sub")).to.deep.equal([
      { path: "sub/a", effect: "write" },
      { path: "sub/b", effect: "write" },
      { path: "sub/c", effect: "destructive" },
      { path: "~/d", effect: "write" },
      { path: "/e", effect: "write" },
    ]);
    expect(touchesOf("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")).to.deep.equal([{ path: "x", effect: "write" }]);
    expect(touchesOf("nonsense")).to.deep.equal([]);
  });
});
