import { expect } from "chai";
import { diffsOf } from "../diffs.ts";

const diffs = (change: string, ...hunks: readonly (readonly string[])[]) =>
  diffsOf({ path: "/a", change, hunks: hunks.map((lines) => ({ lines })) }).map((diff) =>
    diff.type === "diff" ? [diff.oldText, diff.newText] : diff,
  );

describe("a diff for an editor", () => {
  it("has what stood there and what will, hunk by hunk", () => {
    expect(diffs("modified", [" a", "-b", "+c", " d"], ["+e", " f"])).to.deep.equal([
      ["a\nb\nd\n", "a\nc\nd\n"],
      ["f\n", "e\nf\n"],
    ]);
  });

  it("has nothing before what is created, and an empty text after what is deleted", () => {
    expect(diffs("created", ["+a"])).to.deep.equal([[null, "a\n"]]);
    expect(diffs("deleted", ["-a"])).to.deep.equal([["a\n", ""]]);
  });

  it("ends without a line break where a side does", () => {
    expect(diffs("modified", ["-a", "\\ No newline at end of file", "+b"])).to.deep.equal([["a", "b\n"]]);
    expect(diffs("modified", ["-a", "+b", "\\ No newline at end of file"])).to.deep.equal([["a\n", "b"]]);
    const both = ["+a", " b", "\\ No newline at end of file"];
    expect(diffs("modified", both)).to.deep.equal([["b", "a\nb"]]);
  });
});
