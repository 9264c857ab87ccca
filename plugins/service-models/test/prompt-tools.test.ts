import { expect } from "chai";
import type { ChatMessage, ModelCall } from "@pergola/sdk";
import type { ScriptTurn } from "@pergola/sdk/testing";
import { withPromptTools } from "../prompt-tools.ts";
import { parseWrittenCalls } from "../written-calls.ts";
import { modelsOver, tool, type Heard } from "./support.ts";

const block = (text: string): string => `<tool_call>${text}</tool_call>`;
const list = '{"name":"todo_operations","arguments":{"operation":"list"}}';

async function heard(
  turn: ScriptTurn,
  call: Partial<ModelCall> = { tools: [tool] },
  supportsTools = false,
): Promise<Heard> {
  return modelsOver({ a: { script: [turn], models: [{ id: "m", supportsTools }] } }).hear("a/m", call);
}

/** The call as the provider gets it. */
async function sent(call: Partial<ModelCall>, supportsTools = false): Promise<ModelCall> {
  const { hear, asked } = modelsOver({
    a: { script: [{ text: "Yes." }], models: [{ id: "m", supportsTools }] },
  });
  await hear("a/m", { tools: [tool], ...call });
  return asked["a"]?.[0] as ModelCall;
}

describe("tools of a model that knows none", () => {
  it("are described at the end of the system message, and not offered", async () => {
    const { tools, messages, sampling } = await sent({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
      ],
      sampling: { toolChoice: "auto", parallelToolCalls: true, seed: 7 },
    });
    expect(tools).to.deep.equal([]);
    expect(sampling).to.not.have.any.keys("toolChoice", "parallelToolCalls");
    expect(sampling).to.include({ seed: 7 });
    expect(messages).to.have.length(2);
    expect(messages[0]?.content).to.match(/^Be brief\.\n\n# Tools\n/);
    expect(messages[0]?.content).to.include(
      '<tool_call>{"name": "the_tool", "arguments": {"parameter": "value"}}</tool_call>',
    );
    expect(
      (messages[0]?.content as string).endsWith(
        JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.parameters }),
      ),
    ).to.equal(true);
    expect(messages[1]).to.deep.equal({ role: "user", content: "Hi" });
  });

  it("are described where there is no system message, or one of parts, and stay the same from call to call", async () => {
    const bare = await sent({});
    expect(bare.messages.map(({ role }) => role)).to.deep.equal(["system", "user"]);
    const parts = await sent({ messages: [{ role: "system", content: [{ type: "text", text: "A" }] }] });
    expect(parts.messages[0]?.content).to.have.length(2);
    expect((await sent({ messages: [{ role: "user", content: "Other" }] })).messages[0]).to.deep.equal(
      bare.messages[0],
    );
  });

  it("must be called, or must not, where the caller says so", async () => {
    const system = async (toolChoice: ModelCall["sampling"]["toolChoice"] & {}) =>
      (await sent({ sampling: { toolChoice } })).messages[0]?.content;
    expect(await system("required")).to.match(/Your answer must call a tool\.$/);
    expect(await system({ type: "function", function: { name: "todo_operations" } })).to.match(
      /Your answer must call todo_operations\.$/,
    );
    expect(await system("none")).to.equal("Hello");
  });

  it("are left as they are for a model that knows tools, and in bypass", async () => {
    const native = await sent({}, true);
    expect(native.tools).to.deep.equal([tool]);
    expect(native.messages).to.deep.equal([{ role: "user", content: "Hello" }]);
    const raw = { messages: [{ role: "user", content: "Hi" }], tools: [{ type: "function" }] } as never;
    expect((await sent({ messages: [], tools: [], raw })).raw).to.equal(raw);
    expect((await heard({ text: block(list) }, { tools: [], raw })).text).to.equal(block(list));
  });

  it("were called before: told as text, the results of one answer together", () => {
    const calls = ["a", "b"].map((id) => ({
      id,
      name: "todo_operations",
      arguments: id === "a" ? '{"operation":"list"}' : "",
    }));
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } } as const;
    const messages: readonly ChatMessage[] = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Looking.", toolCalls: calls },
      { role: "tool", toolCallId: "a", name: "todo_operations", content: '{"success":true}' },
      { role: "tool", toolCallId: "b", content: "done" },
      { role: "assistant", content: null, toolCalls: calls.slice(0, 1) },
      { role: "tool", toolCallId: "a", content: [{ type: "text", text: "see" }, image] },
    ];
    expect(
      withPromptTools({ model: "m", messages, tools: [tool], sampling: {} }).messages.slice(1),
    ).to.deep.equal([
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: `Looking.\n\n${block(list)}\n${block('{"name":"todo_operations","arguments":{}}')}`,
      },
      {
        role: "user",
        content:
          '<tool_response>{"name":"todo_operations","content":{"success":true}}</tool_response>\n<tool_response>{"name":"tool","content":"done"}</tool_response>',
      },
      { role: "assistant", content: block(list) },
      {
        role: "user",
        content: [
          { type: "text", text: '<tool_response>{"name":"tool","content":"see"}</tool_response>' },
          image,
        ],
      },
    ]);
  });
});

describe("calls that a model writes into its text", () => {
  const text = `Let me see.\n${block(list)}${block('{"name":"now"}')} Done.`;
  const expected = [
    { name: "todo_operations", arguments: '{"operation":"list"}' },
    { name: "now", arguments: "{}" },
  ];

  it("become calls and never text, split anywhere", async () => {
    for (let at = 0; at <= text.length; at++) {
      const {
        events,
        calls,
        text: said,
      } = await heard([{ text: [text.slice(0, at), text.slice(at)].filter((piece) => piece !== "") }]);
      expect([calls, said], `split at ${at}`).to.deep.equal([expected, "Let me see.\n Done."]);
      expect(events.at(-1)).to.deep.equal({ type: "end", reason: "tool_calls" });
    }
    const {
      calls,
      text: said,
      events,
    } = await heard([{ text: [...text] }, { type: "end", reason: "stop", model: "small" }]);
    expect(events.at(-1)).to.deep.equal({ type: "end", reason: "tool_calls", model: "small" });
    expect([calls, said]).to.deep.equal([expected, "Let me see.\n Done."]);
  });

  it("are numbered from 0 and have no id: the host gives them one", async () => {
    const { events } = await heard({ text });
    expect(
      events.filter((event) => event.type === "tool_call").map((event) => [event.index, event.id]),
    ).to.deep.equal([
      [0, undefined],
      [1, undefined],
    ]);
  });

  it("are none while the model thinks, in tags that are split or in reasoning of their own", async () => {
    const thought = `<think>Shall I ${block(list)}?</think>No.`;
    for (const turn of [
      { text: [...thought] },
      [{ reasoning: `Shall I ${block(list)}?` }, { text: "No." }],
    ] as const) {
      const { calls, reasoning, text: said, events } = await heard(turn);
      expect([calls, reasoning, said]).to.deep.equal([[], `Shall I ${block(list)}?`, "No."]);
      expect(events.at(-1)).to.deep.equal({ type: "end", reason: "stop" });
    }
  });

  it("leave the title marker and the stop text to the loop", async () => {
    expect((await heard({ text: [...'Hello.<!--session:{"title":"A title"}-->'] })).text).to.equal(
      'Hello.<!--session:{"title":"A title"}-->',
    );
    expect((await heard({ text: [...'{"status":"stop"}'] })).text).to.equal('{"status":"stop"}');
  });

  it("that are not finished are read as far as they go; the end keeps its reason", async () => {
    const whole = await heard({ text: `<tool_call>${list}` });
    expect([whole.calls, whole.text]).to.deep.equal([expected.slice(0, 1), ""]);
    const cut = await heard([
      { text: '<tool_call>{"name":"todo_operations","arguments":{"oper' },
      { type: "end", reason: "length" },
    ]);
    expect([cut.calls, cut.text]).to.deep.equal([[{ name: "todo_operations", arguments: '{"oper' }], ""]);
    expect(cut.events.at(-1)).to.deep.equal({ type: "end", reason: "length" });
  });

  it("are looked for only where tools stand in the prompt", async () => {
    expect((await heard({ text }, { tools: [tool] }, true)).text).to.equal(text);
    expect((await heard({ text }, { tools: [] })).text).to.equal(text);
  });

  const forms: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
    '{"name":"t","arguments":{"a":1}}': [["t", '{"a":1}']],
    '\n{"name":"t","parameters":{"a":1}}\n': [["t", '{"a":1}']],
    '{"name":"t","args":{}}': [["t", "{}"]],
    '{"name":"t","input":{}}': [["t", "{}"]],
    '{"name":"t"}': [["t", "{}"]],
    '{"name":"t","arguments":"{\\"a\\":1}"}': [["t", '{"a":1}']],
    '{"type":"function","function":{"name":"t","arguments":"{}"}}': [["t", "{}"]],
    '```json\n{"name":"t"}\n```': [["t", "{}"]],
    '[{"name":"t"},{"name":"u"}]': [
      ["t", "{}"],
      ["u", "{}"],
    ],
    '{"name":"t"}\n{"name":"u"}': [
      ["t", "{}"],
      ["u", "{}"],
    ],
    '{"name":"t","arguments":{"__proto__":{"isAdmin":true}}}': [["t", '{"__proto__":{"isAdmin":true}}']],
    "": [],
  };
  for (const [written, calls] of Object.entries(forms)) {
    it(`of the form ${JSON.stringify(written)} (F10)`, () => {
      expect(parseWrittenCalls(written).map(({ name, arguments: args }) => [name, args])).to.deep.equal(
        calls,
      );
    });
  }

  const broken: Readonly<Record<string, readonly [string, string]>> = {
    '{"name":"t","arguments":{"a":1}': ["t", '{"a":1}'],
    '{"name":"t","arguments":{a:1}}': ["t", "{a:1}}"],
    "t(a=1)": ["tool_call", "t(a=1)"],
    '{"arguments":{}}': ["tool_call", "{}}"],
    "7": ["tool_call", "7"],
    '[{"name":"t"},7]': ["t", '[{"name":"t"},7]'],
  };
  for (const [written, call] of Object.entries(broken)) {
    it(`that are broken, as ${written}, are called all the same, so that the model hears of it (F10)`, () => {
      expect(parseWrittenCalls(written).map(({ name, arguments: args }) => [name, args])).to.deep.equal([
        call,
      ]);
    });
  }
});
