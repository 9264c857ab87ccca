import { expect } from "chai";
import { sent, tool } from "./support.ts";

describe("a bypassed request to Gemini", () => {
  it("is translated from the chat-completions format, with a warning for what has no place", async () => {
    const raw = {
      model: "gemini/gemini-3-flash",
      messages: [
        { role: "developer", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "What?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
            { type: "input_audio" },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              id: "c1",
              type: "function",
              function: { name: "todo_operations", arguments: '{"operation":"list"}' },
            },
          ],
        },
        { role: "tool", tool_call_id: "c1", content: "[]" },
      ],
      tools: [
        {
          type: "function",
          function: { name: "todo_operations", description: "Keep a list.", parameters: tool.parameters },
        },
      ],
      tool_choice: "required",
      max_completion_tokens: 50,
      temperature: 0.5,
      top_p: null,
      stop: "END",
      reasoning_effort: "low",
      stream: false,
      stream_options: { include_usage: true },
      n: 2,
      logit_bias: {},
    };
    const { body, warnings } = await sent({ raw: raw as never });
    expect(body).to.deep.equal({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [
        { role: "user", parts: [{ text: "What?" }, { inlineData: { mimeType: "image/png", data: "AA==" } }] },
        {
          role: "model",
          parts: [
            {
              functionCall: { id: "c1", name: "todo_operations", args: { operation: "list" } },
              thoughtSignature: "skip_thought_signature_validator",
            },
          ],
        },
        {
          role: "user",
          parts: [{ functionResponse: { id: "c1", name: "todo_operations", response: { result: "[]" } } }],
        },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: "todo_operations",
              description: "Keep a list.",
              parameters: {
                type: "object",
                properties: { operation: { type: "string" } },
                required: ["operation"],
              },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "ANY" } },
      generationConfig: {
        temperature: 0.5,
        maxOutputTokens: 50,
        thinkingConfig: { includeThoughts: true, thinkingLevel: "low" },
        stopSequences: ["END"],
      },
    });
    expect(warnings).to.deep.equal([
      "logit_bias was left out: Gemini does not take it",
      "n was left out: one answer is given",
      "a part of type input_audio was left out: Gemini does not take it",
    ]);
  });
});
