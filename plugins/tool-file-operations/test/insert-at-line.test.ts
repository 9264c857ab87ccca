import { expect } from "chai";
import { operationNamed, workspace } from "./context.ts";

describe("insert_at_line", () => {
  for (const [before, lineNumber, newText, after, linesModified] of [
    ["a\nb\n", 1, "x", "x\na\nb\n", 1],
    ["a\nb\n", 2, "x", "a\nx\nb\n", 1],
    ["a\nb\n", 3, "x", "a\nb\nx\n", 1],
    ["a\nb", 3, "x", "a\nb\nx", 1],
    ["a\nb", 1, "x", "x\na\nb", 1],
    ["", 1, "x", "x", 1],
    ["a\n", 1, "x\n", "x\na\n", 1],
    ["a\n", 1, "x\ny", "x\ny\na\n", 2],
    ["a\nb\n", 2, "", "a\n\nb\n", 1],
    ["a\r\nb\r\n", 2, "x\ny", "a\r\nx\r\ny\r\nb\r\n", 2],
    ["日\n本\n", 2, "🙂", "日\n🙂\n本\n", 1],
  ] as const) {
    it(`inserts ${JSON.stringify(newText)} before line ${lineNumber} of ${JSON.stringify(before)}`, async () => {
      const { data, text } = workspace({ "a.txt": before });
      expect(await data("insert_at_line", { filePath: "a.txt", lineNumber, newText })).to.deep.equal({
        filePath: "a.txt",
        lineNumber,
        linesModified,
      });
      expect(text("a.txt")).to.equal(after);
    });
  }

  it("refuses lines beyond the one after the last", async () => {
    const { failure, text } = workspace({ "a.txt": "a\nb\n", "empty.txt": "" });
    const error = await failure("insert_at_line", { filePath: "a.txt", lineNumber: 4, newText: "x" });
    expect(error.code).to.equal("invalid_value");
    expect(error.hint).to.contain("1 to 3");
    expect(
      (await failure("insert_at_line", { filePath: "empty.txt", lineNumber: 2, newText: "x" })).code,
    ).to.equal("invalid_value");
    expect(text("a.txt")).to.equal("a\nb\n");
  });

  it("has line 1 as its smallest", () => {
    expect(operationNamed("insert_at_line").parameters["lineNumber"]).to.include({ minimum: 1 });
  });
});

describe("insert_edit", () => {
  it("T02: inserts by default, or replaces the line", async () => {
    const { data, text } = workspace({ "a.txt": "a\nb\nc" });
    await data("insert_edit", { filePath: "a.txt", lineNumber: 2, newText: "x" });
    expect(text("a.txt")).to.equal("a\nx\nb\nc");
    await data("insert_edit", { filePath: "a.txt", lineNumber: 4, newText: "z", insertOperation: "replace" });
    expect(text("a.txt")).to.equal("a\nx\nb\nz");
  });

  it("replaces no line that is not there", async () => {
    const { failure } = workspace({ "a.txt": "a\n", empty: "" });
    expect(
      (
        await failure("insert_edit", {
          filePath: "a.txt",
          lineNumber: 2,
          newText: "x",
          insertOperation: "replace",
        })
      ).code,
    ).to.equal("invalid_value");
    expect(
      (
        await failure("insert_edit", {
          filePath: "empty",
          lineNumber: 1,
          newText: "x",
          insertOperation: "replace",
        })
      ).code,
    ).to.equal("invalid_value");
  });
});
