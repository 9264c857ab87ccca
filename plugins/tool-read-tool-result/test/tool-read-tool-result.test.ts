import { expect } from "chai";
import fc from "fast-check";
import { ToolError } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import { read } from "../operations/read.ts";

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("read_tool_result", () => {
  it("puts a header of facts and an empty line before the content", async () => {
    const context = toolContext({ results: { res_1: "abcdefghij" } });
    const { data, message } = await runOperation(read, { resultId: "res_1", offset: 2, length: 3 }, context);
    expect(data).to.equal(
      "[TOOL_RESULT_CHUNK]\nOffset: 2\nLength: 3\nTotal Length: 10\nHas More: true\nNext Offset: 5\n\ncde",
    );
    expect(message).to.equal("Read on at offset 5.");
  });

  it("says that the end is reached", async () => {
    const context = toolContext({ results: { res_1: "abc" } });
    const { data, message } = await runOperation(read, { resultId: "res_1" }, context);
    expect(data).to.equal(
      "[TOOL_RESULT_CHUNK]\nOffset: 0\nLength: 3\nTotal Length: 3\nHas More: false\nNext Offset: none\n\nabc",
    );
    expect(message).to.equal("This is the end of the result.");
  });

  for (const [contextWindow, length] of [
    [0, 8_192],
    [102_400, 8_192],
    [200_000, 16_000],
    [409_600, 32_768],
    [1_000_000, 32_768],
  ] as const) {
    it(`reads ${length} characters by default when the context window has ${contextWindow} tokens`, async () => {
      const { data } = await runOperation(
        read,
        { resultId: "r" },
        toolContext({ contextWindow, results: { r: "x".repeat(40_000) } }),
      );
      expect(data).to.contain(`\nLength: ${length}\n`);
    });
  }

  it("T16: fails for an unknown id, and leaves the host's words as they are", async () => {
    const error = await failure(
      runOperation(read, { resultId: "res_none" }, toolContext({ results: { res_1: "x" } })),
    );
    expect(error).to.be.instanceOf(ToolError).with.property("code", "not_found");
    expect(error).to.have.property("message").that.includes("not found");
  });

  it("T30: pieces put together give the exact original, whatever their length", async () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 20 }), async (original, length) => {
        const context = toolContext({ workingDirectory: "/", results: { r: original } });
        let read_ = "";
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const { data } = await runOperation(read, { resultId: "r", offset, length }, context);
          const [, header = "", content = ""] =
            /^(\[TOOL_RESULT_CHUNK\]\n(?:[^\n]+\n)+)\n([^]*)$/.exec(data as string) ?? [];
          const next = /Next Offset: (\d+)/.exec(header)?.[1];
          read_ += content;
          offset = next === undefined ? undefined : Number(next);
        }
        expect(read_).to.equal(original);
      }),
      { numRuns: 60 },
    );
  });

  it("is marked so that a piece is never stored again", () => {
    expect(read.keepWhole).to.equal(true);
  });
});
