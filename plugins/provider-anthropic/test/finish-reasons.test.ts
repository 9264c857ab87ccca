import { expect } from "chai";
import type { FinishReason } from "@pergola/sdk";
import { closes, delta, finish, frame, opens, start, stop } from "./messages-reply.ts";
import { answerTo } from "./support.ts";

const text =
  opens(0, { type: "text", text: "" }) + delta(0, { type: "text_delta", text: "Yes." }) + closes(0);
const call = opens(1, { type: "tool_use", id: "a", name: "think", input: {} }) + closes(1);

/** Every `stop_reason` of the format, and one that it does not have yet. */
const reasons: readonly (readonly [wire: string, plain: FinishReason, withCall: FinishReason])[] = [
  ["end_turn", "stop", "tool_calls"],
  ["stop_sequence", "stop", "tool_calls"],
  ["tool_use", "stop", "tool_calls"],
  ["pause_turn", "stop", "tool_calls"],
  ["max_tokens", "length", "length"],
  ["model_context_window_exceeded", "length", "length"],
  ["refusal", "content_filter", "content_filter"],
  ["something_new", "stop", "tool_calls"],
  ["constructor", "stop", "tool_calls"],
];

describe("the stop_reason of the Messages format", () => {
  for (const [wire, plain, withCall] of reasons) {
    it(`${wire} is ${plain}, and with a call ${withCall}`, async () => {
      const { last } = await answerTo(start(), text, finish(wire), stop);
      expect(last).to.deep.equal({ type: "end", reason: plain });
      const called = await answerTo(start(), text, call, finish(wire), stop);
      expect(called.last).to.deep.equal({ type: "end", reason: withCall });
    });
  }

  it("that is missing is stop", async () => {
    const { last } = await answerTo(start(), text, stop);
    expect(last).to.deep.equal({ type: "end", reason: "stop" });
  });

  it("comes with the model that answered, in pieces and in one document", async () => {
    const message = { type: "message", role: "assistant", model: "claude-opus-5-20260401", content: [] };
    const begun = frame({ type: "message_start", message });
    const streamed = await answerTo(begun, text, finish("end_turn"), stop);
    const whole = await answerTo(JSON.stringify({ ...message, stop_reason: "end_turn" }));
    expect([streamed.model, whole.model]).to.deep.equal(Array(2).fill(message.model));
    expect((await answerTo(start(), text, stop)).model).to.equal(undefined);
  });
});
