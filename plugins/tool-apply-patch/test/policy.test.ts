import { expect } from "chai";
import { patch as operation } from "../operations/patch.ts";
import { touchesOf } from "./workspace.ts";

const envelope = (...lines: readonly string[]): string =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const effectOf = (patch: string): unknown => (operation.effect as (args: unknown) => unknown)({ patch });
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
    expect(touchesOf("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")).to.deep.equal([
      { path: "x", effect: "write" },
    ]);
    expect(touchesOf("nonsense")).to.deep.equal([]);
  });
});
