import { expect } from "chai";
import type { JsonObject } from "@pergola/sdk";
import { past, sent } from "./support.ts";

describe("a caller's own body", () => {
  const raw: JsonObject = {
    model: "anthropic/x",
    messages: [
      { role: "developer", content: "Brief." },
      { role: "user", content: [{ type: "text", text: "Hi" }, { type: "input_audio" }] },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } }],
      },
      { role: "tool", tool_call_id: "a", content: "1" },
    ],
    tools: [{ type: "function", function: { name: "f", description: "F.", parameters: { type: "object" } } }],
    tool_choice: "auto",
    max_completion_tokens: 50,
    stop: ["END"],
    top_k: 3,
    logprobs: true,
    user: null,
  };

  it("of the chat-completions format is translated", async () => {
    const { body, warnings } = await sent({ raw, sampling: { maxTokens: 1, temperature: 0.7 } });
    expect(body).to.deep.equal({
      model: past,
      max_tokens: 50,
      stream: true,
      system: [{ type: "text", text: "Brief." }],
      messages: [
        { role: "user", content: [{ type: "text", text: "Hi" }] },
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: { x: 1 } }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "1" }] }],
        },
      ],
      tools: [{ name: "f", description: "F.", input_schema: { type: "object" } }],
      tool_choice: { type: "auto" },
      stop_sequences: ["END"],
      top_k: 3,
    });
    expect(warnings).to.deep.equal([
      "logprobs was left out: Anthropic does not take it",
      "a part of type input_audio was left out: Anthropic does not take it",
    ]);
  });

  it("may ask to think in the words of either format", async () => {
    const messages = [{ role: "user", content: "Hi" }];
    const wish = async (more: object) =>
      (await sent({ raw: { messages, max_tokens: 3000, ...more } })).body["thinking"];
    expect(await wish({ thinking: { type: "enabled", budget_tokens: 1100 } })).to.deep.equal({
      type: "enabled",
      budget_tokens: 1100,
    });
    expect(await wish({ reasoning_effort: "low" })).to.deep.equal({ type: "enabled", budget_tokens: 2048 });
    expect(await wish({ reasoning_effort: "none" })).to.deep.equal({ type: "disabled" });
  });

  it("with anything in it becomes a request", async () => {
    for (const odd of [
      {},
      { messages: "x" },
      { messages: [null, 1, { role: 7 }] },
      { messages: [], tools: [1] },
      { messages: [{ role: "user", content: 5 }] },
    ]) {
      expect((await sent({ raw: odd as never })).body, JSON.stringify(odd)).to.include({
        model: past,
        stream: true,
      });
    }
  });
});
