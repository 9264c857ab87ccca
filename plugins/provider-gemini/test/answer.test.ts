import { expect } from "chai";
import { answerToChunks, chunk } from "./support.ts";

describe("an answer of Gemini", () => {
  const reasons: Readonly<Record<string, string>> = {
    STOP: "stop",
    MAX_TOKENS: "length",
    SAFETY: "content_filter",
    RECITATION: "content_filter",
    LANGUAGE: "content_filter",
    BLOCKLIST: "content_filter",
    PROHIBITED_CONTENT: "content_filter",
    SPII: "content_filter",
    IMAGE_SAFETY: "content_filter",
  };
  for (const [told, reason] of Object.entries(reasons)) {
    it(`that ends with ${told} ends by ${reason}`, async () => {
      const { last, text, warnings } = await answerToChunks(chunk([{ text: "Half" }], told));
      expect({ last, text, warnings }).to.deep.equal({
        last: { type: "end", reason },
        text: "Half",
        warnings: [],
      });
    });
  }

  for (const told of ["OTHER", "SOMETHING_NEW"]) {
    it(`that ends with ${told} ends by stop, with a warning`, async () => {
      const { last, warnings } = await answerToChunks(chunk([{ text: "Half" }], told));
      expect([last, warnings]).to.deep.equal([
        { type: "end", reason: "stop" },
        [`Gemini ended its answer with ${told}`],
      ]);
    });
  }

  for (const told of [
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "MALFORMED_RESPONSE",
  ]) {
    it(`that ends with ${told} is a failure that may be tried again`, async () => {
      const last = {
        candidates: [{ finishReason: told, finishMessage: "Malformed function call: print(x", index: 0 }],
      };
      const { error } = await answerToChunks(last);
      expect(error).to.include({
        code: "provider_error",
        message: `Google Gemini did not finish: ${told} (Malformed function call: print(x)`,
      });
      expect(error).to.have.nested.property("details.retryable", true);
    });
  }

  it("to a blocked prompt is empty, ends by content_filter and says why", async () => {
    const blocked = {
      promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
    };
    const { text, last, warnings, usage, error } = await answerToChunks(blocked);
    expect({ text, last, error }).to.deep.equal({
      text: "",
      last: { type: "end", reason: "content_filter" },
      error: undefined,
    });
    expect(warnings).to.deep.equal(["Gemini did not answer: the prompt was blocked (PROHIBITED_CONTENT)"]);
    expect(usage).to.deep.equal([{ promptTokens: 9, completionTokens: 0 }]);
  });

  it("tells thoughts from text, and counts them as put out; the last count stands", async () => {
    const { text, reasoning, usage } = await answerToChunks(
      chunk([{ text: "Let me think.", thought: true }], undefined, {
        usageMetadata: { promptTokenCount: 6, thoughtsTokenCount: 14 },
      }),
      chunk([{ text: "hello" }], undefined, {
        usageMetadata: { promptTokenCount: 6, candidatesTokenCount: 1, thoughtsTokenCount: 76 },
      }),
      chunk([{ text: "", thoughtSignature: "c2ln" }], "STOP", {
        usageMetadata: {
          promptTokenCount: 6,
          candidatesTokenCount: 2,
          thoughtsTokenCount: 76,
          cachedContentTokenCount: 4,
        },
      }),
    );
    expect({ text, reasoning }).to.deep.equal({ text: "hello", reasoning: "Let me think." });
    expect(usage).to.deep.equal([
      { promptTokens: 6, completionTokens: 78, cachedTokens: 4, reasoningTokens: 76 },
    ]);
  });

  it("has a whole call for each function, with an id of its own where Gemini gives none", async () => {
    const { calls, ids, last } = await answerToChunks(
      chunk([
        { functionCall: { name: "weather", args: { city: "Paris" } }, thoughtSignature: "c2ln" },
        { functionCall: { name: "weather", args: { city: "Tokyo" } } },
      ]),
      chunk([{ functionCall: { id: "fc-7", name: "now" } }]),
      chunk([{ text: "" }], "STOP"),
    );
    expect(calls).to.deep.equal([
      { name: "weather", arguments: '{"city":"Paris"}' },
      { name: "weather", arguments: '{"city":"Tokyo"}' },
      { name: "now", arguments: "{}" },
    ]);
    expect(ids[2]).to.equal("fc-7");
    for (const id of ids.slice(0, 2)) expect(id).to.match(/^call_[A-Za-z0-9]{24}$/);
    expect(new Set(ids).size).to.equal(3);
    expect(last).to.deep.equal({ type: "end", reason: "tool_calls" });
  });

  it("cut off by the limit after a call ends by length", async () => {
    const { last, calls } = await answerToChunks(
      chunk([{ functionCall: { name: "now", args: {} } }], "MAX_TOKENS"),
    );
    expect([last, calls.length]).to.deep.equal([{ type: "end", reason: "length" }, 1]);
  });

  it("is heard of its first candidate only, and says once that it holds parts of another kind", async () => {
    const { text, warnings } = await answerToChunks(
      { candidates: [{ index: 1, content: { parts: [{ text: "no" }] } }] },
      chunk(
        [
          { inlineData: { mimeType: "image/png", data: "AA==" } },
          { executableCode: { code: "1" } },
          { text: "yes" },
        ],
        "STOP",
      ),
    );
    expect(text).to.equal("yes");
    expect(warnings).to.deep.equal(["Gemini sent parts that are neither text nor calls; they were left out"]);
  });

  it("with parts that are none, or 200 calls (F10), does not stumble", async () => {
    const parts = [
      null,
      7,
      "x",
      ...Array.from({ length: 200 }, (_, n) => ({ functionCall: { name: "read", args: { n } } })),
    ] as object[];
    const { calls, error } = await answerToChunks(
      chunk(parts),
      { candidates: "none" },
      { candidates: [null, { content: 7 }] },
      chunk([], "STOP"),
    );
    expect([calls.length, calls[199]?.arguments, error]).to.deep.equal([200, '{"n":199}', undefined]);
  });

  it("with arguments of 3 MB, or with __proto__ among them (F10), is handed on as it is", async () => {
    const { calls } = await answerToChunks(
      chunk([{ functionCall: { name: "write", args: { content: "x".repeat(3_000_000) } } }]),
      chunk(
        [{ functionCall: { name: "write", args: JSON.parse('{"__proto__":{"isAdmin":true}}') as object } }],
        "STOP",
      ),
    );
    expect(calls[0]?.arguments).to.have.length(3_000_000 + 14);
    expect(calls[1]?.arguments).to.equal('{"__proto__":{"isAdmin":true}}');
    expect(({} as { isAdmin?: boolean }).isAdmin).to.equal(undefined);
  });
});
