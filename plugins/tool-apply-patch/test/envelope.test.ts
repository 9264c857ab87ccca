import { expect } from "chai";
import { workspace } from "./workspace.ts";

const envelope = (...lines: readonly string[]): string =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const code = "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 1\n    return x\n";

describe("apply_patch, between Begin Patch and End Patch", () => {
  it("adds, updates, moves and deletes", async () => {
    const { data, text, has } = workspace({
      "old.txt": "one\ntwo\nthree\n",
      "gone.txt": "x",
      "from.txt": "a\nb\n",
    });
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
    expect(await data({ patch })).to.deep.equal({
      files: [
        { path: "new/file.txt", action: "added" },
        { path: "old.txt", action: "updated" },
        { path: "to.txt", action: "moved" },
        { path: "gone.txt", action: "deleted" },
      ],
      dry_run: false,
    });
    expect([text("new/file.txt"), text("old.txt"), text("to.txt")]).to.deep.equal([
      "first\n\nlast\n",
      "one\n2\nthree\n",
      "a\nc\n",
    ]);
    expect([has("gone.txt"), has("from.txt")]).to.deep.equal([false, false]);
  });

  it("checks only, when asked for a dry run", async () => {
    const { data, text } = workspace({ "a.txt": "x\n" });
    const patch = envelope("*** Update File: a.txt", "@@", "-x", "+y");
    expect(await data({ patch, dry_run: true })).to.deep.include({ dry_run: true });
    expect(text("a.txt")).to.equal("x\n");
  });

  it("refuses a hunk that fits in two places, naming file and hunk", async () => {
    const { refusal, text } = workspace({ "a.py": code });
    const error = await refusal({
      patch: envelope("*** Update File: a.py", "@@", "-    x = 1", "+    x = 2"),
    });
    expect(error.code).to.equal("ambiguous_match");
    expect(error.message).to.contain("Hunk 1 of a.py").and.contain("2, 6");
    expect(text("a.py")).to.equal(code);
  });

  it("finds the place by the line after @@", async () => {
    const { run, text } = workspace({ "a.py": code });
    await run({
      patch: envelope("*** Update File: a.py", "@@ def b():", "-    x = 1", "+    x = 2"),
    });
    expect(text("a.py")).to.equal(code.replace(/x = 1(?![^]*x = 1)/, "x = 2"));
  });

  it("finds the place by several lines after @@", async () => {
    const nested = "class A\n  def f\n    1\nclass B\n  def f\n    1\n";
    const { run, text } = workspace({ "a.rb": nested });
    await run({
      patch: envelope("*** Update File: a.rb", "@@ class B", "@@ def f", "-    1", "+    2"),
    });
    expect(text("a.rb")).to.equal("class A\n  def f\n    1\nclass B\n  def f\n    2\n");
  });

  it("applies several hunks, in any order", async () => {
    const { run, text } = workspace({ "a.txt": "1\n2\n3\n4\n5\n" });
    await run({
      patch: envelope("*** Update File: a.txt", "@@", "-4", "+four", "@@", "-2", "+two", "+two and a half"),
    });
    expect(text("a.txt")).to.equal("1\ntwo\ntwo and a half\n3\nfour\n5\n");
  });

  it("joins two updates of one file", async () => {
    const { run, text } = workspace({ "a.txt": "1\n2\n3\n" });
    await run({
      patch: envelope(
        "*** Update File: a.txt",
        "@@",
        "-1",
        "+one",
        "*** Update File: a.txt",
        "@@",
        "-3",
        "+three",
      ),
    });
    expect(text("a.txt")).to.equal("one\n2\nthree\n");
  });

  it("knows the end of the file, and adds there without any old line", async () => {
    const { run, text } = workspace({ "a.txt": "x\ny\nx\n" });
    await run({
      patch: envelope("*** Update File: a.txt", "@@", "-x", "+z", "*** End of File"),
    });
    expect(text("a.txt")).to.equal("x\ny\nz\n");
    await run({ patch: envelope("*** Update File: a.txt", "@@", "+end") });
    expect(text("a.txt")).to.equal("x\ny\nz\nend\n");
  });

  it("keeps CRLF and a missing line feed at the end", async () => {
    const { run, text } = workspace({ "a.txt": "one\r\ntwo\r\nthree" });
    await run({
      patch: envelope("*** Update File: a.txt", "@@", " one", "-two", "+2", "+2b"),
    });
    expect(text("a.txt")).to.equal("one\r\n2\r\n2b\r\nthree");
    await run({ patch: envelope("*** Update File: a.txt", "@@", "-three", "+3") });
    expect(text("a.txt")).to.equal("one\r\n2\r\n2b\r\n3");
  });

  for (const [why, last, codes] of [
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
    ["leaves the folder", ["*** Add File: ../e", "+x"], "path_escape"],
    [
      "leaves the folder by a move",
      ["*** Update File: b.txt", "*** Move to: x/../../e", "@@", "-b", "+x"],
      "path_escape",
    ],
    ["lies outside", ["*** Add File: /pergola-test-e", "+x"], "permission_denied"],
    [
      "has two hunks on one line",
      ["*** Update File: b.txt", "@@", "-b", "+x", "@@", "-b", "+y"],
      "invalid_value",
    ],
  ] as const) {
    it(`T08: changes nothing when a part of it ${why}`, async () => {
      const { refusal, text, has } = workspace({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
      const error = await refusal({
        patch: envelope("*** Add File: new.txt", "+x", "*** Update File: a.txt", "@@", "-a", "+A", ...last),
      });
      expect(error.code).to.equal(codes);
      expect([text("a.txt"), text("b.txt"), text("c.txt"), has("new.txt")]).to.deep.equal([
        "a\n",
        "b\n",
        "c\n",
        false,
      ]);
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
      expect((await workspace({ "a.txt": "a\n" }).refusal({ patch })).code).to.equal("invalid_value");
    });
  }
});
