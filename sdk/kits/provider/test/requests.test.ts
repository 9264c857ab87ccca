import { expect } from "chai";
import {
  clampTemperature,
  readChatBody,
  readResponseFormat,
  readToolChoice,
  requestSettings,
  warnOfUnknownFields,
  omitFields,
} from "../index.ts";

const warnings: string[] = [];
const warn = (text: string): void => void warnings.push(text);
beforeEach(() => warnings.splice(0));

describe("what a request asks for", () => {
  const choices: readonly (readonly [choice: unknown, expected: object | undefined])[] = [
    ["auto", { mode: "auto" }],
    ["none", { mode: "none" }],
    ["required", { mode: "required" }],
    ["any", { mode: "required" }],
    [{ type: "auto" }, { mode: "auto" }],
    [
      { type: "function", function: { name: "think" } },
      { mode: "tool", name: "think" },
    ],
    [
      { type: "tool", name: "think" },
      { mode: "tool", name: "think" },
    ],
    ["perhaps", undefined],
    [{ type: "function" }, undefined],
    [7, undefined],
  ];
  for (const [choice, expected] of choices) {
    it(`may be the tool choice ${JSON.stringify(choice)}`, () => {
      expect(readToolChoice(choice)).to.deep.equal(expected);
    });
  }

  it("may be a form of the answer", () => {
    const schema = { type: "object" };
    expect(readResponseFormat(undefined)).to.include({ type: "text" });
    expect(readResponseFormat({ type: "json_object" })).to.include({ type: "json_object" });
    expect(readResponseFormat({ type: "json_schema", json_schema: { schema } })).to.include({ schema });
    expect(readResponseFormat({ type: "json_schema", schema })).to.include({ schema });
  });

  it("is a temperature within the vendor's range", () => {
    const range = { least: 0.1, most: 1 };
    expect(clampTemperature(0.5, range, "Vendor", warn)).to.equal(0.5);
    expect(warnings).to.deep.equal([]);
    expect([
      clampTemperature(0, range, "Vendor", warn),
      clampTemperature(2, range, "Vendor", warn),
    ]).to.deep.equal([0.1, 1]);
    expect(warnings[1]).to.equal("Vendor takes temperatures from 0.1 to 1; 1 was sent instead of 2");
  });

  it("has the fields that the settings want, and none that they do not", () => {
    const { body, leaveOut } = requestSettings({ body: { top_k: 4 }, leave_out: ["seed"] });
    expect(omitFields({ ...body, seed: 1 }, leaveOut)).to.deep.equal({ top_k: 4 });
    expect(requestSettings({ body: [], leave_out: "seed" })).to.deep.equal({ body: {}, leaveOut: [] });
  });
});

describe("a body of the chat-completions format", () => {
  const options = { vendor: "Vendor", warn, messageKeys: ["cache_control"] };

  it("becomes a call", () => {
    const body = readChatBody(
      {
        messages: [
          { role: "developer", content: "Be brief." },
          {
            role: "user",
            content: [{ type: "text", text: "?" }, { type: "input_audio" }],
            cache_control: 1,
            x: 2,
          },
          {
            role: "assistant",
            content: null,
            reasoning_content: "Hm.",
            tool_calls: [{ id: "a", function: { name: "think", arguments: { b: 1 } } }, { id: "c" }],
          },
          { role: "tool", tool_call_id: "a", name: "think", content: "Yes." },
        ],
        tools: [{ type: "function", function: { name: "think" } }, { type: "web_search" }],
        max_completion_tokens: 9,
        top_p: 0.5,
        seed: null,
        reasoning_effort: "low",
      },
      options,
    );
    expect(body).to.deep.equal({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "?" }], extra: { cache_control: 1 } },
        {
          role: "assistant",
          content: null,
          reasoning: "Hm.",
          toolCalls: [{ id: "a", name: "think", arguments: '{"b":1}' }],
        },
        { role: "tool", toolCallId: "a", name: "think", content: "Yes." },
      ],
      tools: [{ name: "think", description: "", parameters: { type: "object" } }],
      sampling: { maxTokens: 9, topP: 0.5 },
      thinking: { mode: "enabled", effort: "low" },
    });
    expect(warnings).to.deep.equal(["a part of type input_audio was left out: Vendor does not take it"]);
  });

  it("may be anything", () => {
    const nothing = { messages: [], tools: [], sampling: {} };
    for (const messages of [null, 7, [7, null], {}])
      expect(readChatBody({ messages, tools: "x" }, options)).to.deep.equal(nothing);
  });

  for (const [effort, thinking] of [
    ["none", { mode: "disabled" }],
    ["minimal", { mode: "disabled" }],
    ["medium", { mode: "enabled", effort: "medium" }],
    ["high", { mode: "enabled", effort: "high" }],
    ["extreme", undefined],
  ] as const) {
    it(`reads the reasoning_effort ${effort}`, () => {
      expect(readChatBody({ reasoning_effort: effort }, options).thinking).to.deep.equal(thinking);
    });
  }

  it("is warned of where it holds what nobody reads", () => {
    warnOfUnknownFields({ model: "m", seed: 1, n: 1, logprobs: true, logit_bias: null }, ["n"], options);
    expect(warnings).to.deep.equal(["logprobs was left out: Vendor does not take it"]);
  });
});
