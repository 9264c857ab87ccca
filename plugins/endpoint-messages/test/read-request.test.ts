import { expect } from "chai";
import { AppError, type JsonObject, type Services } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { readMessages as readWarned } from "../read-messages.ts";
import { readRequest } from "../read-request.ts";

const services: Services = fakeServices({
  tools: { isFamily: (name) => name === "think" },
  preferences: { get: () => "auto" as never },
});
const readMessages = (body: Parameters<typeof readWarned>[0]) => readWarned(body, () => undefined);
const messages = [{ role: "user", content: "Hi" }];
const read = (more: object, headers: Readonly<Record<string, string>> = {}) => {
  const body = { model: "default", max_tokens: 10, messages, ...more };
  return readRequest(body, endpointRequest({ headers }), services);
};
const signed = { type: "thinking", thinking: "Hm.", signature: "s" };
const hidden = { type: "redacted_thinking", data: "ZA==" };

describe("a request of the Messages format is folded", () => {
  it("into the plainest run where nothing is asked for", () => {
    expect(read({})).to.deep.equal({
      kind: "chat",
      model: "default",
      messages,
      callerTools: [],
      builtinTools: "all",
      sampling: { maxTokens: 10 },
      includeReasoning: false,
      toolSwitches: {},
      enableMemory: true,
      customInstructions: [],
      caller: endpointRequest().caller,
    });
  });

  it("with the thoughts that a provider signed, and without those that nobody did", () => {
    const [, answer] = readMessages({
      model: "m",
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [
            signed,
            hidden,
            { type: "thinking", thinking: "So.", signature: "" },
            { type: "text", text: "Yes." },
          ],
        },
      ],
    });
    expect(answer).to.deep.equal({
      role: "assistant",
      content: "Yes.",
      reasoning: "Hm.\n\nSo.",
      extra: { reasoning_blocks: [signed, hidden] },
    });
  });

  it("with results before what is said beside them, and their images with it", () => {
    const source = { type: "url", url: "https://example.org/a.png" };
    const content: readonly JsonObject[] = [
      { type: "text", text: "Look." },
      {
        type: "tool_result",
        tool_use_id: "a",
        content: [
          { type: "text", text: "one" },
          { type: "image", source },
        ],
      },
      { type: "tool_result", tool_use_id: "b" },
    ];
    expect(readMessages({ model: "m", messages: [{ role: "user", content }] })).to.deep.equal([
      { role: "tool", toolCallId: "a", content: "one" },
      { role: "tool", toolCallId: "b", content: "" },
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: "https://example.org/a.png" } },
          { type: "text", text: "Look." },
        ],
      },
    ]);
  });

  it("with the breakpoints of the cache", () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const [system, user] = readMessages({
      model: "m",
      system: [{ type: "text", text: "Brief.", ...mark }],
      messages: [{ role: "user", content: [{ type: "text", text: "Hi", ...mark }] }],
    });
    expect([system?.extra, user?.extra]).to.deep.equal([mark, mark]);
  });

  it("with a wish to think", () => {
    const thinking = { type: "enabled", budget_tokens: 2000 };
    expect(read({ thinking })).to.deep.include({
      thinking: { mode: "enabled", budgetTokens: 2000 },
      includeReasoning: true,
    });
    expect(read({ thinking: { type: "adaptive" }, output_config: { effort: "max" } }).thinking).to.deep.equal(
      {
        mode: "adaptive",
        effort: "high",
      },
    );
    expect(read({ thinking: { type: "disabled" } })).to.deep.include({
      thinking: { mode: "disabled" },
      includeReasoning: false,
    });
  });

  it("without taking the names of an object's own properties for words of the format", () => {
    for (const type of ["constructor", "__proto__", "toString"]) {
      expect(() => read({ tool_choice: { type } }), type).to.throw("must be auto, any, none");
      expect(() => read({ thinking: { type } }), type).to.throw("must be enabled, adaptive or disabled");
      const { thinking } = read({ thinking: { type: "enabled" }, output_config: { effort: type } });
      expect(thinking, type).to.deep.equal({ mode: "enabled" });
    }
  });

  it("with its conversation from the body before the header", () => {
    const header = { "x-session-id": "header" };
    expect(read({}, header).conversationId).to.equal("header");
    expect(read({ conversation_id: "body" }, header).conversationId).to.equal("body");
  });

  it("with the built-in families that its tools name", () => {
    const { callerTools, builtinTools } = read({
      tools: [{ name: "think" }, { type: "custom", name: "weather" }],
    });
    expect(callerTools.map(({ name }) => name)).to.deep.equal(["weather"]);
    expect(builtinTools).to.deep.equal(["think"]);
  });

  it("or refused, whatever stands where a block belongs", () => {
    const odd: readonly unknown[] = [
      null,
      7,
      "x",
      [],
      {},
      { type: 7 },
      { type: "text", text: 7 },
      { type: "image" },
      { type: "image", source: [] },
      { type: "tool_result" },
    ];
    for (const role of ["user", "assistant"]) {
      for (const block of odd) {
        let error: unknown;
        try {
          readMessages({ model: "m", messages: [{ role, content: [block] } as JsonObject] });
        } catch (failure) {
          error = failure;
        }
        expect(AppError.is(error), `${role} ${JSON.stringify(block)}`).to.equal(true);
      }
    }
  });
});
