import { expect } from "chai";
import { AppError, type FinishReason } from "@pergola/sdk";
import { chatChunk, doneFrame, frame } from "@pergola/sdk/testing";
import { answering, answerTo, ask, open, type Answer } from "./support.ts";

type Row = readonly [wire: string, plain: FinishReason, withCall: FinishReason];

const text = frame(chatChunk({ content: "Yes." }));
const call = frame(
  chatChunk({ tool_calls: [{ index: 0, id: "a", function: { name: "think", arguments: "{}" } }] }),
);

/** Every `finish_reason` that a vendor is known to send, and some that none does. */
const reasons: readonly Row[] = [
  ["stop", "stop", "tool_calls"],
  ["tool_calls", "stop", "tool_calls"],
  ["function_call", "stop", "tool_calls"],
  ["tool_use", "stop", "tool_calls"],
  ["length", "length", "length"],
  ["max_tokens", "length", "length"],
  ["model_length", "length", "length"],
  ["model_context_window_exceeded", "length", "length"],
  ["content_filter", "content_filter", "content_filter"],
  ["sensitive", "content_filter", "content_filter"],
  ["safety", "content_filter", "content_filter"],
  ["refusal", "content_filter", "content_filter"],
  ["MAX_TOKENS", "length", "length"],
  ["something_new", "stop", "tool_calls"],
  ["constructor", "stop", "tool_calls"],
];

const failures: readonly (readonly [wire: string, status: number])[] = [
  ["error", 502],
  ["network_error", 502],
  ["abort", 503],
  ["insufficient_system_resource", 503],
];

function statusOf({ error }: Answer): unknown {
  if (!AppError.is(error)) return undefined;
  return error.details?.["status"];
}

describe("the finish_reason of a chat completion (O12)", () => {
  for (const [wire, plain, withCall] of reasons) {
    it(`${wire} is ${plain}, and with a call ${withCall}`, async () => {
      const end = frame(chatChunk({}, wire)) + doneFrame;
      expect((await answerTo(text, end)).last).to.deep.equal({ type: "end", reason: plain });
      expect((await answerTo(text, call, end)).last).to.deep.equal({ type: "end", reason: withCall });
    });
  }

  for (const [wire, status] of failures) {
    it(`${wire} is a failure with status ${status}`, async () => {
      const answer = await answerTo(text, frame(chatChunk({}, wire)), doneFrame);
      expect([answer.text, statusOf(answer)]).to.deep.equal(["Yes.", status]);
    });
  }
});

describe("the model that answered a chat completion", () => {
  const model = "gpt-5-2026-01-31";
  const end = frame({ ...chatChunk({}, "stop"), model }) + doneFrame;

  it("is handed on as any chunk names it, though others name none", async () => {
    const unnamed = [frame({ ...chatChunk({ content: "Yes." }), model: "" }), frame({ choices: [] })];
    expect((await answerTo(...unnamed, end)).model).to.equal(model);
    const odd = frame({ ...chatChunk({}, "stop"), model: { name: model } }) + doneFrame;
    expect(await answerTo(...unnamed, odd)).to.include({ model: undefined, error: undefined });
  });

  it("is handed on from one document, too", async () => {
    const choices = [{ message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }];
    expect((await answerTo(JSON.stringify({ model, choices }))).model).to.equal(model);
  });

  it("is handed on from every kind that has the format", async () => {
    for (const kind of ["ollama", "openrouter", "custom"]) {
      const provider = await open(
        kind,
        { baseUrl: "http://127.0.0.1:9/v1" },
        { fetch: answering([text, end]) },
      );
      expect((await ask(provider)).model, kind).to.equal("test");
    }
  });
});

describe("the end of a response", () => {
  const item = { type: "function_call", call_id: "a", name: "think", arguments: "{}" };
  const delta = frame({ type: "response.output_text.delta", output_index: 0, delta: "Yes." });
  const called = frame({ type: "response.output_item.done", output_index: 1, item });
  const closing = (type: string, response: object): string => frame({ type, response });
  const answerOf = async (...pieces: readonly string[]): Promise<Answer> =>
    ask(await open("openai", {}, { fetch: answering(pieces) }), { model: "gpt-5.1-codex" });

  /** Every reason of `incomplete_details`, and some that are none. */
  const incomplete: readonly Row[] = [
    ["max_output_tokens", "length", "length"],
    ["content_filter", "content_filter", "content_filter"],
    ["something_new", "stop", "tool_calls"],
    ["constructor", "stop", "tool_calls"],
  ];
  for (const [reason, plain, withCall] of incomplete) {
    it(`that is incomplete for ${reason} is ${plain}, and with a call ${withCall}`, async () => {
      const end = closing("response.incomplete", { status: "incomplete", incomplete_details: { reason } });
      expect((await answerOf(delta, end)).last).to.deep.equal({ type: "end", reason: plain });
      expect((await answerOf(delta, called, end)).last).to.deep.equal({ type: "end", reason: withCall });
    });
  }

  it("that is completed is stop, and with a call tool_calls", async () => {
    const end = closing("response.completed", { status: "completed", incomplete_details: null });
    expect((await answerOf(delta, end)).last).to.deep.equal({ type: "end", reason: "stop" });
    expect((await answerOf(delta, called, end)).last).to.deep.equal({ type: "end", reason: "tool_calls" });
  });

  it("names the model that answered, in events and in one document", async () => {
    const response = { status: "completed", output: [], model: "gpt-5.1-codex-2026-02-02" };
    for (const body of [delta + closing("response.completed", response), JSON.stringify(response)])
      expect((await answerOf(body)).model).to.equal(response.model);
    expect((await answerOf(closing("response.completed", { output: [] }))).model).to.equal(undefined);
  });

  it("that failed is a failure, in events and in one document", async () => {
    const response = {
      status: "failed",
      output: [],
      error: { code: "rate_limit_exceeded", message: "slow" },
    };
    for (const body of [delta + closing("response.failed", response), JSON.stringify(response)])
      expect((await answerOf(body)).error).to.include({ code: "provider_rate_limited" });
  });
});
