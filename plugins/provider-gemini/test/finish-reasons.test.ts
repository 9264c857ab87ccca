import { expect } from "chai";
import { AppError, type FinishReason } from "@pergola/sdk";
import { answerToChunks, chunk } from "./support.ts";

const text = { text: "Yes." };
const call = { functionCall: { name: "think", args: {} } };

/** Every `finishReason` that ends an answer (https://ai.google.dev/api/generate-content#FinishReason). */
const reasons: readonly (readonly [wire: string, plain: FinishReason, withCall: FinishReason])[] = [
  ["STOP", "stop", "tool_calls"],
  ["MAX_TOKENS", "length", "length"],
  ["SAFETY", "content_filter", "content_filter"],
  ["RECITATION", "content_filter", "content_filter"],
  ["LANGUAGE", "content_filter", "content_filter"],
  ["BLOCKLIST", "content_filter", "content_filter"],
  ["PROHIBITED_CONTENT", "content_filter", "content_filter"],
  ["SPII", "content_filter", "content_filter"],
  ["MODEL_ARMOR", "content_filter", "content_filter"],
  ["IMAGE_SAFETY", "content_filter", "content_filter"],
  ["IMAGE_PROHIBITED_CONTENT", "content_filter", "content_filter"],
  ["IMAGE_RECITATION", "content_filter", "content_filter"],
];

const failures = [
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MALFORMED_RESPONSE",
  "MISSING_THOUGHT_SIGNATURE",
];

describe("the finishReason of Gemini", () => {
  for (const [wire, plain, withCall] of reasons) {
    it(`${wire} is ${plain}, and with a call ${withCall}, without a warning`, async () => {
      const { last, warnings } = await answerToChunks(chunk([text], wire));
      expect([last, warnings]).to.deep.equal([{ type: "end", reason: plain }, []]);
      const called = await answerToChunks(chunk([text, call], wire));
      expect([called.last, called.warnings]).to.deep.equal([{ type: "end", reason: withCall }, []]);
    });
  }

  for (const wire of failures) {
    it(`${wire} is a failure that may be tried again`, async () => {
      const { error } = await answerToChunks(chunk([text], wire));
      if (!AppError.is(error)) throw new Error("there is no failure");
      expect(error.message).to.equal(`Google Gemini did not finish: ${wire}`);
      expect([error.code, error.details]).to.deep.equal(["provider_error", { retryable: true }]);
    });
  }

  for (const wire of ["OTHER", "SOMETHING_NEW"]) {
    it(`${wire}, which says nothing, is stop with a warning, and with a call tool_calls`, async () => {
      const { last, warnings } = await answerToChunks(chunk([text], wire));
      expect(warnings).to.deep.equal([`Gemini ended its answer with ${wire}`]);
      expect(last).to.deep.equal({ type: "end", reason: "stop" });
      const called = await answerToChunks(chunk([call], wire));
      expect(called.last).to.deep.equal({ type: "end", reason: "tool_calls" });
    });
  }

  it("FINISH_REASON_UNSPECIFIED ends nothing", async () => {
    const { last } = await answerToChunks(
      chunk([text], "FINISH_REASON_UNSPECIFIED"),
      chunk([], "MAX_TOKENS"),
    );
    expect(last).to.deep.equal({ type: "end", reason: "length" });
  });

  it("comes with the version of the model that answered, where a chunk names it", async () => {
    const modelVersion = "gemini-3-flash-002";
    const unnamed = chunk([text], undefined, { modelVersion: undefined });
    expect((await answerToChunks(unnamed, chunk([], "STOP", { modelVersion }))).model).to.equal(modelVersion);
    const { model } = await answerToChunks(unnamed, chunk([], "STOP", { modelVersion: 3 }));
    expect(model).to.equal(undefined);
  });

  for (const [blockReason, reason] of [
    ["SAFETY", "content_filter"],
    ["OTHER", "content_filter"],
    ["BLOCK_REASON_UNSPECIFIED", "stop"],
  ] as const) {
    it(`is ${reason} for the blockReason ${blockReason} of a prompt`, async () => {
      const { last } = await answerToChunks({ promptFeedback: { blockReason } }, chunk([], "STOP"));
      expect(last).to.deep.equal({ type: "end", reason });
    });
  }
});
