import { expect } from "chai";
import { AppError, readAnswer, wireAnswer, wireUsage, type ApprovalRecord } from "@pergola/sdk";
import { builtInId, builtInPromptIds } from "@pergola/sdk/host";

describe("usage on the wire", () => {
  it("adds both kinds of tokens up, with the details that were told", () => {
    const usage = { promptTokens: 3, completionTokens: 4 };
    const wire = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
    expect(wireUsage(usage)).to.deep.equal(wire);
    expect(wireUsage({ ...usage, cachedTokens: 0, reasoningTokens: 1 })).to.deep.equal({
      ...wire,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 1 },
    });
  });
});

describe("an answer to a question", () => {
  it("keeps what was said, and nothing else", () => {
    expect(readAnswer({ userResponse: "" })).to.deep.equal({ text: "" });
    expect(readAnswer({ approved: false })).to.deep.equal({ approved: false });
    const all = {
      approved: true,
      userResponse: "ok",
      grant: "time",
      expiresIn: "1h",
      paths: ["/a"],
    } as const;
    expect(readAnswer({ ...all, toolCallId: "x" } as never)).to.deep.equal({
      approved: true,
      text: "ok",
      grant: "time",
      expiresIn: "1h",
      paths: ["/a"],
    });
  });

  it("must say something", () => {
    expect(() => readAnswer({ grant: "once" }))
      .to.throw(AppError)
      .with.property("code", "missing_field");
  });

  for (const [decision, message] of [
    ["approved", "The call was approved."],
    ["denied", "The call was denied."],
    ["text", "The answer was handed on."],
  ] as const) {
    it(`is acknowledged when it is ${decision}`, () => {
      const record = {
        toolCallId: "call_1",
        conversationId: "c1",
        decision,
        status: "answered",
      } as ApprovalRecord;
      const same = { success: true, toolCallId: "call_1", conversationId: "c1", status: "answered" };
      expect(wireAnswer(record)).to.deep.equal({ ...same, decision, message });
    });
  }
});

describe("built-in ids", () => {
  it("are known by id and by word, without regard to case", () => {
    const id = "00000000-0000-0000-0000-000000000004";
    expect([id, "minimal", " Minimal "].map((given) => builtInId(builtInPromptIds, given))).to.deep.equal([
      id,
      id,
      id,
    ]);
    for (const other of ["", "none", "constructor", "00000000-0000-0000-0000-000000000003"]) {
      expect(builtInId(builtInPromptIds, other)).to.equal(undefined);
    }
  });
});
