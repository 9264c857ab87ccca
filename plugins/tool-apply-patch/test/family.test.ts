import { expect } from "chai";
import { patch } from "../operations/patch.ts";
import { blocks, touchesOf, workspace } from "./workspace.ts";

const effectOf = (text: string): unknown => (patch.effect as (args: unknown) => unknown)({ patch: text });

describe("apply_patch", () => {
  it("takes the other spellings", () => {
    expect(patch.aliases).to.include("apply");
    expect(patch.parameters["patch"]?.aliases).to.have.members(["patch_content", "diff"]);
    expect(patch.parameters["target_directory"]?.format).to.equal("path");
  });

  it("T01: runs", async () => {
    const { apply, text } = workspace({ "a.txt": "x\n" });
    expect((await apply(blocks("*** Update File: a.txt", "@@", "-x", "+y"))).message).to.equal(
      "Changed 1 file.",
    );
    expect(text("a.txt")).to.equal("y\n");
  });

  const mixed = blocks(
    ...["*** Update File: a", "*** Move to: b", "@@", "-x", "+y", "*** Delete File: c"],
    ...["*** Add File: ~/d", "+x", "*** Add File: /e", "+x", "*** Add File: .vscode/f", "+x"],
  );

  it("is destructive when it deletes, and writes else", () => {
    expect(effectOf(mixed)).to.equal("destructive");
    expect(effectOf("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")).to.equal("destructive");
    expect(effectOf(blocks("*** Add File: a", "+x"))).to.equal("write");
    expect(effectOf("nonsense")).to.equal("write");
    expect(patch.place).to.equal("paths");
  });

  it("A10: names every path to the policy with its effect, both ends of a move too", () => {
    expect(touchesOf(mixed, "sub")).to.deep.equal([
      { path: "sub/a", effect: "write" },
      { path: "sub/b", effect: "write" },
      { path: "sub/c", effect: "destructive" },
      { path: "~/d", effect: "write" },
      { path: "/e", effect: "write" },
      { path: "sub/.vscode/f", effect: "write" },
    ]);
    expect(touchesOf("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")).to.deep.equal([
      { path: "x", effect: "write" },
    ]);
    expect(
      touchesOf("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n").map(
        ({ path }) => path,
      ),
    ).to.deep.equal(["x", "y"]);
    expect(touchesOf("nonsense")).to.deep.equal([]);
  });

  it("shows a card with the files", () => {
    expect(patch.display?.({ patch: mixed } as never)).to.deep.include({
      summary: "Apply patch: 6 files",
    });
    expect(patch.display?.({ patch: "nonsense" } as never)?.details).to.deep.equal([]);
  });

  it("gives examples whose patches can be read", () => {
    expect(patch.examples?.length).to.be.at.least(2);
    for (const { say, arguments: args } of patch.examples ?? []) {
      expect(say).to.contain(args["patch"]);
      expect(touchesOf(args["patch"] as string)).to.have.length(1);
    }
  });
});
