import { expect } from "chai";
import { Hashing } from "../embedder/hashing.ts";
import { VectorCache } from "../embedder/vector-cache.ts";
import { readOutcome } from "../guide/outcome.ts";
import { answerFrom } from "../results/answer.ts";

const answer = (question: string, result: object, args: object = {}): Promise<string> => {
  const call = { id: "c", name: "tool", arguments: JSON.stringify(args) };
  return answerFrom(
    question,
    readOutcome(call, JSON.stringify(result)),
    new VectorCache(new Hashing()),
    AbortSignal.timeout(5000),
  );
};
const list = (...entries: readonly object[]) => ({
  success: true,
  data: JSON.stringify({ entries, totalCount: entries.length }),
  message: "",
});

describe("answers from results of any tool", () => {
  it("shows matches with file and line", async () => {
    const matches = {
      success: true,
      data: JSON.stringify({
        matches: [{ filePath: "a.ts", lineNumber: 3, lineText: "  // TODO", matchText: "TODO" }],
        totalCount: 1,
      }),
      message: "",
    };
    expect(await answer("search for TODO", matches)).to.equal("1 entry:\n\n- a.ts:3: // TODO");
  });

  it("shows an unknown shape by its fields", async () => {
    expect(await answer("list them", list({ plant: "rose", height: 40 }))).to.equal(
      "1 entry:\n\n- plant: rose, height: 40",
    );
  });

  it("counts when it is asked how many", async () => {
    expect(await answer("how many are there?", list({ name: "a" }, { name: "b" }))).to.match(/^2\.\n/);
  });

  it("says no to a question about an empty list", async () => {
    expect(await answer("are there any errors?", { success: true, data: "[]", message: "" })).to.equal(
      "No, nothing was found.",
    );
  });

  it("cuts a long list and says how much is missing", async () => {
    const many = Array.from({ length: 80 }, (_, index) => ({ name: `f${index}` }));
    expect(await answer("list them", list(...many))).to.match(/^80 entries:[\s\S]*- f49\n- … and 30 more$/);
  });

  it("answers yes or no from a record", async () => {
    const facts = { success: true, data: JSON.stringify({ is_executable: true, file_size: 3 }), message: "" };
    expect(await answer("Is run.sh executable?", facts)).to.equal("Yes. is executable: true");
  });

  it("hands on what the person answered", async () => {
    expect(
      await answer("ask me which colour", { success: true, data: "User response: blue", message: "" }),
    ).to.equal("You answered: blue");
  });

  it("shows a chunk of a stored result and where it goes on", async () => {
    const data =
      "[TOOL_RESULT_CHUNK]\nOffset: 0\nLength: 5\nTotal Length: 9\nHas More: true\nNext Offset: 5\n\nhello";
    expect(await answer("read res_0abc", { success: true, data, message: "" })).to.equal(
      "```\nhello\n```\n\nThere is more, from offset 5 on.",
    );
  });

  it("tells error and hint of a failure", async () => {
    const failed = {
      success: false,
      error: "The person said no",
      error_code: "denied",
      message: "Do not do it",
    };
    expect(await answer("delete a.txt", failed)).to.equal(
      "That did not work. The person said no. Do not do it.",
    );
  });

  it("fences a text that holds fences", async () => {
    const shown = await answer(
      "read a.md",
      { success: true, data: "{}", content: "```js\nx\n```\n", message: "" },
      { filePath: "a.md" },
    );
    expect(shown).to.equal("a.md:\n\n````md\n```js\nx\n```\n````");
  });

  it("counts the members of a JSON value", async () => {
    const content = JSON.stringify({ devDependencies: { a: "1", b: "2", c: "3" } });
    expect(
      await answer(
        "how many dev dependencies does p.json have?",
        { success: true, data: "{}", content, message: "" },
        { filePath: "p.json" },
      ),
    ).to.equal("p.json has 3 under `devDependencies`.");
  });

  it("takes a result that is no JSON for its text", async () => {
    const call = { id: "c", name: "tool", arguments: "{}" };
    expect(
      await answerFrom(
        "x",
        readOutcome(call, "plain words"),
        new VectorCache(new Hashing()),
        AbortSignal.timeout(5000),
      ),
    ).to.equal("plain words");
  });
});
