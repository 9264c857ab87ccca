import { expect } from "chai";
import { patch as operation } from "../operations/patch.ts";
import { workspace } from "./workspace.ts";

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
    expect(await data({ patch })).to.deep.equal({
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

  it("takes empty files that come and go, which have no hunks", async () => {
    const { data, text, has } = workspace({ "old.txt": "" });
    const patch = [
      "diff --git a/new file.txt b/new file.txt",
      "new file mode 100644",
      "index 0000000..e69de29",
      "diff --git a/old.txt b/old.txt",
      "deleted file mode 100644",
      "index e69de29..0000000",
    ].join("\n");
    expect(await data({ patch })).to.deep.include({
      files: [
        { path: "new file.txt", action: "added" },
        { path: "old.txt", action: "deleted" },
      ],
    });
    expect(text("new file.txt")).to.equal("");
    expect(has("old.txt")).to.equal(false);
  });

  it("takes a mail with a signature", async () => {
    const { run, text } = workspace({ "a.txt": "x\n" });
    const patch = [
      "From: a",
      "- what it does",
      "---",
      " a.txt | 2 +-",
      "diff --git a/a.txt b/a.txt",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      "-x",
      "+y",
      "-- ",
      "2.39.5",
      "",
    ];
    await run({ patch: patch.join("\n") });
    expect(text("a.txt")).to.equal("y\n");
  });

  it("takes several mails, and refuses changed lines that stand between a hunk and the next mail", async () => {
    const mail = (file: string, ...more: readonly string[]): readonly string[] => [
      `From 1111111 Mon Sep 17 00:00:00 2001`,
      "- what it does",
      "---",
      `--- a/${file}`,
      `+++ b/${file}`,
      "@@ -1 +1 @@",
      "-x",
      "+y",
      ...more,
    ];
    const signature = ["-- ", "2.39.5", ""];
    const { run, refusal, text } = workspace({ "a.txt": "x\n", "b.txt": "x\n" });
    const stray = [...mail("a.txt", "text", "+stray"), ...signature, ...mail("b.txt")].join("\n");
    expect((await refusal({ patch: stray })).code).to.equal("invalid_value");
    await run({ patch: [...mail("a.txt", ...signature), ...mail("b.txt", ...signature)].join("\n") });
    expect([text("a.txt"), text("b.txt")]).to.deep.equal(["y\n", "y\n"]);
  });

  it("takes a plain unified diff with times, and deletions that look like headers", async () => {
    const { run, text } = workspace({ "a.sql": "-- old\nselect 1\n" });
    const patch =
      "--- a.sql\t2026-01-01 00:00:00\n+++ a.sql\t2026-01-02 00:00:00\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n select 1\n";
    await run({ patch });
    expect(text("a.sql")).to.equal("++ new\nselect 1\n");
  });

  it("does not mind wrong counts and line numbers when the place is clear", async () => {
    const { run, text } = workspace({ "a.txt": "1\n2\n3\n4\n", "b.txt": "x\n" });
    await run({
      patch:
        "--- a/a.txt\n+++ b/a.txt\n@@ -9,9 +9,9 @@\n 2\n-3\n+three\n--- a/b.txt\n+++ b/b.txt\n@@ -1,1 +1,1 @@\n-x\n+y\n",
    });
    expect([text("a.txt"), text("b.txt")]).to.deep.equal(["1\n2\nthree\n4\n", "y\n"]);
    await run({ patch: "--- a/a.txt\n+++ b/a.txt\n@@ -9,1 +9,1 @@\n 2\n-three\n+3\n" });
    expect(text("a.txt")).to.equal("1\n2\n3\n4\n");
  });

  it("inserts where the diff says when there is nothing to match", async () => {
    const { run, text } = workspace({ "a.txt": "1\n2\n" });
    await run({ patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1,0 +2 @@\n+one and a half\n" });
    expect(text("a.txt")).to.equal("1\none and a half\n2\n");
  });

  it("adds and removes the line feed at the end", async () => {
    const { run, text } = workspace({ "a.txt": "x\ny", "b.txt": "x\ny\n" });
    const open = "\\ No newline at end of file";
    await run({ patch: `--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n x\n-y\n${open}\n+y\n` });
    await run({ patch: `--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n x\n-y\n+y\n${open}\n` });
    expect([text("a.txt"), text("b.txt")]).to.deep.equal(["x\ny\n", "x\ny"]);
  });

  it("is also taken as diff, and applied below target_directory", async () => {
    expect(operation.parameters["patch"]?.aliases).to.include("diff");
    const { run, text, refusal } = workspace({ "sub/a.txt": "x\n" });
    await run({
      patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n",
      target_directory: "sub",
    });
    expect(text("sub/a.txt")).to.equal("y\n");
    const error = await refusal({
      patch: "--- a/../a.txt\n+++ b/../a.txt\n@@ -1 +1 @@\n-x\n+y\n",
      target_directory: "sub",
    });
    expect(error.code).to.equal("path_escape");
  });

  for (const [why, lines] of [
    [
      "makes a link",
      ["diff --git a/l b/l", "new file mode 120000", "--- /dev/null", "+++ b/l", "@@ -0,0 +1 @@", "+/etc"],
    ],
    [
      "changes a submodule",
      ["diff --git a/s b/s", "new file mode 160000", "--- /dev/null", "+++ b/s", "@@ -0,0 +1 @@", "+x"],
    ],
    ["is binary", ["diff --git a/x b/x", "GIT binary patch", "literal 0"]],
    ["copies", ["diff --git a/a.txt b/c.txt", "copy from a.txt", "copy to c.txt"]],
    ["has two names for a file", ["--- a.txt.orig", "+++ a.txt", "@@ -1 +1 @@", "-a", "+b"]],
    ["deletes a file with other lines", ["--- a/a.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"]],
    ["only changes a mode", ["diff --git a/a.txt b/a.txt", "old mode 100644", "new mode 100755"]],
    [
      "has a line without a mark",
      ["--- a/a.txt", "+++ b/a.txt", "@@ -1,2 +1,3 @@", "-a", "+b", "more", "+c"],
    ],
    [
      "has changed lines outside a hunk",
      ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1 @@", "-a", "+b", "more", "+c"],
    ],
    ["has a hunk without a file", ["@@ -1 +1 @@", "-a", "+b"]],
  ] as const) {
    it(`refuses a diff that ${why}`, async () => {
      const { refusal, text, has } = workspace({ "a.txt": "a\nmore\n" });
      expect((await refusal({ patch: lines.join("\n") })).code).to.equal("invalid_value");
      expect([text("a.txt"), has("l"), has("c.txt")]).to.deep.equal(["a\nmore\n", false, false]);
    });
  }

  it("reads git's quoted names", async () => {
    const { run, text } = workspace({ 'ä "x"\t.txt': "a\n" });
    const name = '\\303\\244 \\"x\\"\\t.txt"';
    await run({ patch: `--- "a/${name}\n+++ "b/${name}\n@@ -1 +1 @@\n-a\n+b\n` });
    expect(text('ä "x"\t.txt')).to.equal("b\n");
  });

  it("takes /dev/null with a time for no file", async () => {
    const { run, text } = workspace();
    await run({ patch: "--- /dev/null\t1970-01-01\n+++ a.txt\t2026-01-01\n@@ -0,0 +1 @@\n+x\n" });
    expect(text("a.txt")).to.equal("x\n");
  });
});
