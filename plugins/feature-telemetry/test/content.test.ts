import type { ModelCallSummary, ToolCallSummary } from "@pergola/sdk";
import { expect } from "chai";
import { Content, type Redact } from "../content.ts";

const secret = "sk-0123456789";
const redact: Redact = (value) => JSON.parse(JSON.stringify(value).replaceAll(secret, "***")) as typeof value;
const content = new Content(redact);

const call = (messages: readonly object[], answer: object = {}): ModelCallSummary =>
  ({
    finishReason: "stop",
    content: () => ({ messages, text: "", reasoning: "", calls: [], ...answer }),
  }) as unknown as ModelCallSummary;
const read = (summary: ModelCallSummary, key: string): unknown =>
  JSON.parse(content.ofModelCall(summary)[key] ?? "null");

describe("texts in spans", () => {
  it("have the forms of the conventions", () => {
    const toolCall = { id: "call_1", name: "look", arguments: `{"at":"${secret}"}` };
    const messages = [
      { role: "system", content: "Be kind." },
      {
        role: "user",
        content: [
          { type: "text", text: "See" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          { type: "image_url", image_url: { url: "https://example.org/a.png" } },
        ],
      },
      { role: "assistant", content: null, reasoning: "Hm.", toolCalls: [toolCall] },
      { role: "tool", content: "There.", toolCallId: "call_1" },
    ];
    const summary = call(messages, { text: "Seen.", calls: [{ ...toolCall, arguments: "{broken" }] });
    expect(read(summary, "gen_ai.system_instructions")).to.deep.equal([
      { type: "text", content: "Be kind." },
    ]);
    expect(read(summary, "gen_ai.input.messages")).to.deep.equal([
      {
        role: "user",
        parts: [
          { type: "text", content: "See" },
          { type: "blob", modality: "image" },
          { type: "uri", modality: "image", uri: "https://example.org/a.png" },
        ],
      },
      {
        role: "assistant",
        parts: [
          { type: "reasoning", content: "Hm." },
          { type: "tool_call", id: "call_1", name: "look", arguments: { at: "***" } },
        ],
      },
      { role: "tool", parts: [{ type: "tool_call_response", id: "call_1", response: "There." }] },
    ]);
    const parts = [
      { type: "text", content: "Seen." },
      { type: "tool_call", id: "call_1", name: "look", arguments: "{broken" },
    ];
    expect(read(summary, "gen_ai.output.messages")).to.deep.equal([
      { role: "assistant", parts, finish_reason: "stop" },
    ]);
  });

  it("are bounded, the newest kept, and no secret is cut in two", () => {
    const long = `${"x".repeat(16_380)}${secret}`;
    const messages = Array.from({ length: 20 }, (_, at) => ({ role: "user", content: `${at} ${long}` }));
    const texts = content.ofModelCall(call(messages))["gen_ai.input.messages"] ?? "";
    expect(texts.length).to.be.below(140_000);
    expect(texts).to.not.include("sk-");
    expect((JSON.parse(texts) as unknown[]).length).to.equal(7);
    expect(texts).to.include('"19 xxx').and.not.include('"12 xxx');
    const tool = { call: { arguments: { text: long } }, result: { success: true, data: long } };
    const of = content.ofToolCall(tool as unknown as ToolCallSummary);
    expect(JSON.stringify(of)).to.not.include("sk-");
  });

  it("are none where the summary has none", () => {
    expect(content.ofModelCall({} as ModelCallSummary)).to.deep.equal({});
  });
});
