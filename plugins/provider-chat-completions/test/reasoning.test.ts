import { expect } from "chai";
import { chatChunk, doneFrame, frame } from "@pergola/sdk/testing";
import { answering, ask, open, type Answer } from "./support.ts";

async function heard(type: string, deltas: readonly object[]): Promise<Answer> {
  const body = [...deltas.map((delta) => frame(chatChunk(delta))), frame(chatChunk({}, "stop")), doneFrame];
  return ask(await open(type, { baseUrl: "http://127.0.0.1:9/v1" }, { fetch: answering(body) }));
}

const details = (text: string) => ({ reasoning_details: [{ type: "reasoning.text", text }] });

describe("reasoning and text as vendors send them", () => {
  const forms: Readonly<Record<string, readonly object[]>> = {
    reasoning_content: [
      { reasoning_content: "Let me " },
      { reasoning_content: "think.", content: null },
      { content: "42" },
    ],
    reasoning: [{ reasoning: "Let me " }, { reasoning: "think.", content: "" }, { content: "42" }],
    reasoning_details: [details("Let me "), details("think."), { content: "42" }],
    "reasoning and the same in reasoning_details": [
      { reasoning: "Let me think.", ...details("Let me think.") },
      { content: "42" },
    ],
    "a summary": [
      {
        reasoning_details: [
          { type: "reasoning.summary", summary: "Let me think." },
          { type: "reasoning.encrypted", data: "xx" },
        ],
      },
      { content: "42" },
    ],
    "parts of the content": [
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "Let me " }] }] },
      { content: [{ type: "thinking", thinking: "think." }] },
      { content: [{ type: "text", text: "42" }] },
    ],
  };
  for (const [form, deltas] of Object.entries(forms)) {
    it(`by ${form}`, async () => {
      const { reasoning, text } = await heard("custom", deltas);
      expect({ reasoning, text }).to.deep.equal({ reasoning: "Let me think.", text: "42" });
    });
  }

  it("by MiniMax, each piece with all that came before, or each by itself", async () => {
    for (const pieces of [
      ["Let", "Let me", "Let me think."],
      ["Let", " me", " think."],
    ]) {
      expect((await heard("minimax", pieces.map(details))).reasoning).to.equal("Let me think.");
    }
  });

  it("takes a refusal for text, and think tags as they are: they are the host's", async () => {
    expect((await heard("openai", [{ refusal: "I can't." }])).text).to.equal("I can't.");
    expect((await heard("custom", [{ content: "<think>x</think>y" }])).text).to.equal("<think>x</think>y");
  });

  it("hears only the first of several choices", async () => {
    const chunk = {
      choices: [
        { index: 1, delta: { content: "no" } },
        { index: 0, delta: { content: "yes" }, finish_reason: "stop" },
      ],
    };
    const provider = await open(
      "custom",
      { baseUrl: "http://127.0.0.1:9/v1" },
      { fetch: answering([frame(chunk)]) },
    );
    expect((await ask(provider)).text).to.equal("yes");
  });

  it("does not say a whole message again that comes at the end of its pieces", async () => {
    const last = { choices: [{ index: 0, message: { content: "42" }, finish_reason: "stop" }] };
    const provider = await open(
      "minimax",
      {},
      { fetch: answering([frame(chatChunk({ content: "42" })), frame(last), doneFrame]) },
    );
    expect((await ask(provider)).text).to.equal("42");
  });

  const reasons: Readonly<Record<string, string>> = {
    stop: "stop",
    eos: "stop",
    length: "length",
    max_tokens: "length",
    MAX_TOKENS: "length",
    model_context_window_exceeded: "length",
    content_filter: "content_filter",
    sensitive: "content_filter",
  };
  for (const [told, reason] of Object.entries(reasons)) {
    it(`takes the reason ${told} for ${reason}`, async () => {
      const provider = await open(
        "custom",
        { baseUrl: "http://127.0.0.1:9/v1" },
        { fetch: answering([frame(chatChunk({ content: "x" }, told))]) },
      );
      expect((await ask(provider)).last).to.deep.equal({ type: "end", reason });
    });
  }

  const counts: Readonly<Record<string, readonly [usage: unknown, event: object | undefined]>> = {
    "the format's own": [
      {
        prompt_tokens: 5,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
      { promptTokens: 5, completionTokens: 2, cachedTokens: 4, reasoningTokens: 1 },
    ],
    "DeepSeek's": [
      { prompt_tokens: 5, completion_tokens: 2, prompt_cache_hit_tokens: 3 },
      { promptTokens: 5, completionTokens: 2, cachedTokens: 3 },
    ],
    "one without an output": [{ prompt_tokens: 5 }, { promptTokens: 5, completionTokens: 0 }],
    "one that counts nothing": [{ prompt_tokens: -1, completion_tokens: "2" }, undefined],
    none: [null, undefined],
  };
  for (const [what, [usage, event]] of Object.entries(counts)) {
    it(`counts by ${what}, the last one told`, async () => {
      const body = [
        frame({ ...chatChunk({ content: "x" }), usage: { prompt_tokens: "?" } }),
        frame({ ...chatChunk({}, "stop"), usage }),
      ];
      const { events } = await ask(
        await open("custom", { baseUrl: "http://127.0.0.1:9/v1" }, { fetch: answering(body) }),
      );
      expect(events.filter(({ type }) => type === "usage")).to.deep.equal(
        event === undefined ? [] : [{ type: "usage", usage: event }],
      );
    });
  }
});
