import { expect } from "chai";
import { blocks, workspace } from "./workspace.ts";

const code = "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 1\n    return x\n";

describe("apply_patch.patch, block form", () => {
  it("adds, updates, moves and deletes in one go", async () => {
    const { apply, text, has } = workspace({
      "old.txt": "one\ntwo\nthree\n",
      "gone.txt": "x",
      "from.txt": "a\nb\n",
      "plain.bin": "\0\xff",
    });
    const update = ["*** Update File: old.txt", "@@", " one", "-two", "+2", " three"];
    const move = ["*** Update File: from.txt", "*** Move to: deep/to.txt", "@@", "-b", "+c"];
    const plainMove = ["*** Update File: plain.bin", "*** Move to: other.bin"];
    const patch = blocks(
      "*** Add File: new/file.txt",
      "+first",
      "+",
      "+last",
      ...update,
      ...move,
      ...plainMove,
      "*** Delete File: gone.txt",
    );
    expect((await apply(patch)).data).to.deep.equal({
      files: [
        { path: "new/file.txt", action: "added" },
        { path: "old.txt", action: "updated" },
        { path: "deep/to.txt", action: "moved" },
        { path: "other.bin", action: "moved" },
        { path: "gone.txt", action: "deleted" },
      ],
      dry_run: false,
    });
    expect([text("new/file.txt"), text("old.txt"), text("deep/to.txt")]).to.deep.equal([
      "first\n\nlast\n",
      "one\n2\nthree\n",
      "a\nc\n",
    ]);
    expect(["gone.txt", "from.txt", "plain.bin", "other.bin"].map(has)).to.deep.equal([
      false,
      false,
      false,
      true,
    ]);
  });

  it("changes nothing when asked for a dry run, and says what it would do", async () => {
    const { apply, text } = workspace({ "a.txt": "x\n" });
    const { data, message } = await apply(blocks("*** Update File: a.txt", "@@", "-x", "+y"), {
      dry_run: true,
    });
    expect(data).to.deep.equal({ files: [{ path: "a.txt", action: "updated" }], dry_run: true });
    expect(message).to.equal("Would change 1 file.");
    expect(text("a.txt")).to.equal("x\n");
  });

  it("starts from the target folder", async () => {
    const { apply, text } = workspace({ "sub/a.txt": "x\n" });
    await apply(blocks("*** Update File: a.txt", "@@", "-x", "+y"), { target_directory: "sub" });
    expect(text("sub/a.txt")).to.equal("y\n");
  });

  it("refuses a hunk that fits in two places, naming file, hunk and lines", async () => {
    const error = await workspace({ "a.py": code }).failure(
      blocks("*** Update File: a.py", "@@", "-    x = 1", "+    x = 2"),
    );
    expect(error.code).to.equal("ambiguous_match");
    expect(error.message).to.contain("Hunk 1 of a.py").and.contain("2, 6");
    expect(error.fields).to.deep.equal({ file: "a.py", hunk: 1, matchCount: 2, lines: [2, 6] });
  });

  it("names the hunk that fits nowhere", async () => {
    const error = await workspace({ "a.txt": "1\n2\n" }).failure(
      blocks("*** Update File: a.txt", "@@", "-1", "+one", "@@", "-3", "+x"),
    );
    expect([error.code, error.message]).to.deep.equal(["not_found", "Hunk 2 of a.txt matches nowhere."]);
  });

  for (const [how, anchors] of [
    ["the line after @@", ["@@ def b():"]],
    ["a diff's header", ["@@ -5,3 +5,3 @@ def b():"]],
    ["a closed @@ line", ["@@ def b(): @@"]],
  ] as const) {
    it(`finds the place by ${how}`, async () => {
      const { apply, text } = workspace({ "a.py": code });
      await apply(blocks("*** Update File: a.py", ...anchors, "-    x = 1", "+    x = 2"));
      expect(text("a.py")).to.equal(
        "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 2\n    return x\n",
      );
    });
  }

  it("narrows the place down by several lines after @@", async () => {
    const { apply, text } = workspace({ "a.rb": "class A\n  def f\n    1\nclass B\n  def f\n    1\n" });
    await apply(blocks("*** Update File: a.rb", "@@ class B", "@@ def f", "-    1", "+    2"));
    expect(text("a.rb")).to.equal("class A\n  def f\n    1\nclass B\n  def f\n    2\n");
  });

  it("applies hunks in any order, and two updates of one file", async () => {
    const { apply, text } = workspace({ "a.txt": "1\n2\n3\n4\n5\n" });
    const first = ["*** Update File: a.txt", "@@", "-4", "+four", "@@", "-2", "+two", "+half"];
    await apply(blocks(...first, "*** Update File: a.txt", "@@", "-5", "+five"));
    expect(text("a.txt")).to.equal("1\ntwo\nhalf\n3\nfour\nfive\n");
  });

  it("knows the end of the file, and adds there without any old line", async () => {
    const { apply, text } = workspace({ "a.txt": "x\ny\nx\n" });
    await apply(blocks("*** Update File: a.txt", "@@", "-x", "+z", "*** End of File"));
    await apply(blocks("*** Update File: a.txt", "@@", "+end"));
    await apply(blocks("*** Update File: a.txt", "@@ y", "+after y"));
    expect(text("a.txt")).to.equal("x\ny\nafter y\nz\nend\n");
  });

  it("keeps CRLF, a byte order mark and a missing line feed at the end", async () => {
    const { apply, text } = workspace({ "a.txt": "\ufeffone\r\ntwo\r\nthree", "mixed.txt": "a\r\nb\nc\r\n" });
    await apply(
      blocks(
        "*** Update File: a.txt",
        "@@",
        "-two",
        "+2",
        "+2b",
        "*** Update File: mixed.txt",
        "@@",
        " b",
        "-c",
        "+C",
      ),
    );
    expect(text("a.txt")).to.equal("\ufeffone\r\n2\r\n2b\r\nthree");
    expect(text("mixed.txt")).to.equal("a\r\nb\nC\r\n");
    await apply(blocks("*** Update File: a.txt", "@@", "-three", "+3", "+4").replaceAll("\n", "\r\n"));
    expect(text("a.txt")).to.equal("\ufeffone\r\n2\r\n2b\r\n3\r\n4");
  });

  it("does not let two patches of one file undo each other", async () => {
    const { apply, text } = workspace({ "a.txt": "1\n2\n3\n" });
    await Promise.all(
      ["1", "2", "3"].map((line) => apply(blocks("*** Update File: a.txt", "@@", `-${line}`, `+${line}!`))),
    );
    expect(text("a.txt")).to.equal("1!\n2!\n3!\n");
  });
});
