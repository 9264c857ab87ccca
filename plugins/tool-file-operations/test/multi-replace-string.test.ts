import { expect } from "chai";
import { operationNamed, workspace } from "./context.ts";

describe("multi_replace_string", () => {
  it("replaces in several files", async () => {
    const { data, text } = workspace({ "a.txt": "one two", "b.txt": "three" });
    const result = await data("multi_replace_string", {
      filePath: "a.txt",
      replacements: [
        { oldString: "one", newString: "1" },
        { oldString: "two", newString: "2" },
        { filePath: "b.txt", oldString: "three", newString: "3" },
      ],
    });
    expect(result).to.deep.equal({
      replacements: [
        { filePath: "a.txt", oldString: "one", newString: "1", count: 1 },
        { filePath: "a.txt", oldString: "two", newString: "2", count: 1 },
        { filePath: "b.txt", oldString: "three", newString: "3", count: 1 },
      ],
      totalReplacements: 3,
    });
    expect([text("a.txt"), text("b.txt")]).to.deep.equal(["1 2", "3"]);
  });

  it("sees the effect of earlier replacements, under any name of the file", async () => {
    const { run, text } = workspace({ "a.txt": "one" });
    await run("multi_replace_string", {
      replacements: [
        { filePath: "a.txt", oldString: "one", newString: "two" },
        { filePath: "./a.txt", oldString: "two", newString: "three" },
      ],
    });
    expect(text("a.txt")).to.equal("three");
  });

  for (const [why, last, code] of [
    ["without a match", { filePath: "b.txt", oldString: "none", newString: "x" }, "not_found"],
    ["with several matches", { filePath: "b.txt", oldString: "e", newString: "x" }, "ambiguous_match"],
    ["of a missing file", { filePath: "none.txt", oldString: "e", newString: "x" }, "file_not_found"],
  ] as const) {
    it(`T08: changes no file when one replacement is ${why}`, async () => {
      const { failure, text } = workspace({ "a.txt": "one", "b.txt": "three" });
      const error = await failure("multi_replace_string", {
        replacements: [{ filePath: "a.txt", oldString: "one", newString: "1" }, last],
      });
      expect(error.code).to.equal(code);
      expect([text("a.txt"), text("b.txt")]).to.deep.equal(["one", "three"]);
    });
  }

  it("needs a file for each replacement", async () => {
    const error = await workspace().failure("multi_replace_string", {
      replacements: [{ oldString: "a", newString: "b" }],
    });
    expect(error.code).to.equal("insufficient_params");
  });

  it("after a crash is sure only when its parts agree", async () => {
    const args = {
      replacements: [
        { filePath: "a.txt", oldString: "old", newString: "new" },
        { filePath: "b.txt", oldString: "old", newString: "new" },
      ],
    };
    expect(
      await workspace({ "a.txt": "old", "b.txt": "old" }).outcome("multi_replace_string", args),
    ).to.equal("did_not_happen");
    expect(
      await workspace({ "a.txt": "new", "b.txt": "new" }).outcome("multi_replace_string", args),
    ).to.equal("happened");
    expect(
      await workspace({ "a.txt": "new", "b.txt": "old" }).outcome("multi_replace_string", args),
    ).to.equal("unknown");
  });

  it("A10: names every path to the policy", () => {
    const { replacements } = operationNamed("multi_replace_string").parameters;
    expect(replacements?.items?.properties?.["filePath"]).to.include({ format: "path" });
  });
});
