import { expect } from "chai";
import type { ChatMessage, JsonObject } from "@pergola/sdk";
import { current, past, sent, user, type SentBody } from "./support.ts";

const calls = (id: string, name = "think", more: Partial<ChatMessage> = {}): ChatMessage => ({
  role: "assistant",
  content: null,
  toolCalls: [{ id, name, arguments: '{"x":1}' }],
  ...more,
});
const answers = (toolCallId: string, content: string): ChatMessage => ({
  role: "tool",
  toolCallId,
  name: "think",
  content,
});

const wire = async (messages: readonly ChatMessage[], more = {}): Promise<SentBody> =>
  (await sent({ messages, ...more })).body;
const text = (words: string): JsonObject => ({ type: "text", text: words });
const use = (id: string): JsonObject => ({ type: "tool_use", id, name: "think", input: { x: 1 } });
const result = (id: string, words: string, more = {}): JsonObject => ({
  type: "tool_result",
  tool_use_id: id,
  content: [text(words)],
  ...more,
});

describe("a conversation in the Messages format", () => {
  it("has its system messages on top; a later one is told as the user's", async () => {
    const { system, messages } = await wire([
      { role: "system", content: "One." },
      { role: "system", content: "Two." },
      user("Hi"),
      { role: "system", content: "Three." },
    ]);
    expect(system).to.deep.equal([text("One."), text("Two.")]);
    expect(messages).to.deep.equal([{ role: "user", content: [text("Hi"), text("Three.")] }]);
  });

  it("has results of calls first behind the calls, in their order, and then what the user says", async () => {
    const both: ChatMessage = {
      ...calls("a"),
      toolCalls: [...(calls("a").toolCalls ?? []), ...(calls("b").toolCalls ?? [])],
    };
    const { messages } = await wire([
      user("Go"),
      both,
      answers("b", "second"),
      user("And now?"),
      answers("a", "first"),
    ]);
    expect(messages).to.deep.equal([
      { role: "user", content: [text("Go")] },
      { role: "assistant", content: [use("a"), use("b")] },
      { role: "user", content: [result("a", "first"), result("b", "second"), text("And now?")] },
    ]);
  });

  it("F10: says of a call without an answer that none is known, and tells an answer without a call as text", async () => {
    const { messages } = await wire([answers("gone", "old"), calls("a"), user("Well?")]);
    expect(messages).to.deep.equal([
      { role: "user", content: [text("Result of think:"), text("old")] },
      { role: "assistant", content: [use("a")] },
      {
        role: "user",
        content: [
          result("a", '{"success":false,"message":"No result of this call is known."}', { is_error: true }),
          text("Well?"),
        ],
      },
    ]);
  });

  it("A14, F10: has each id once and of the vendor's alphabet, though a source repeats or garbles them", async () => {
    const { messages } = await wire([
      user("Go"),
      calls("call:1"),
      answers("call:1", "one"),
      calls("call:1"),
      answers("call:1", "two"),
      calls(""),
      answers("", "three"),
    ]);
    expect(messages.slice(1).map(({ content }) => content[0])).to.deep.equal([
      use("call_1"),
      result("call_1", "one"),
      use("call_1_2"),
      result("call_1_2", "two"),
      use("call"),
      result("call", "three"),
    ]);
  });

  it("joins neighbours of one role and leaves empty messages out", async () => {
    const { messages } = await wire([
      user("a"),
      user(" \n"),
      user("b"),
      { role: "assistant", content: "" },
      { role: "assistant", content: null },
      user("c"),
    ]);
    expect(messages).to.deep.equal([{ role: "user", content: [text("a"), text("b"), text("c")] }]);
  });

  it("begins with the user, and is not ended by the assistant where the model would refuse", async () => {
    const history: readonly ChatMessage[] = [{ role: "assistant", content: "Hello. " }];
    expect((await wire(history)).messages).to.deep.equal([
      { role: "user", content: [text("(The beginning of the conversation is left out.)")] },
      { role: "assistant", content: [text("Hello.")] },
    ]);
    expect((await wire(history, { model: current })).messages.at(-1)).to.deep.equal({
      role: "user",
      content: [text("Go on.")],
    });
  });

  it("F10: has input that is an object, whatever the model wrote", async () => {
    for (const args of ["", '{"x":', "[1]", "null"]) {
      const { messages } = await wire([
        user("Go"),
        { ...calls("a"), toolCalls: [{ id: "a", name: "think", arguments: args }] },
        answers("a", ""),
      ]);
      expect(messages[1]?.content[0]?.["input"], args).to.deep.equal({});
      expect(messages[2]?.content).to.deep.equal([result("a", "(no output)")]);
    }
  });

  it("marks results of failed calls", async () => {
    const failed = JSON.stringify({ success: false, error: "No such file." });
    const { messages } = await wire([user("Go"), calls("a"), answers("a", failed)]);
    expect(messages[2]?.content).to.deep.equal([result("a", failed, { is_error: true })]);
  });

  it("holds images by address and as data, and leaves others out with a warning", async () => {
    const image = (url: string) => ({ type: "image_url", image_url: { url } }) as const;
    const { body, warnings } = await sent({
      messages: [
        user([
          { type: "text", text: "Look" },
          image("https://example.org/a.png"),
          image("data:image/PNG;base64,aGk="),
          image("data:image/gif,%47"),
          image("data:image/svg+xml;base64,aGk="),
        ]),
      ],
    });
    expect(body.messages[0]?.content).to.deep.equal([
      text("Look"),
      { type: "image", source: { type: "url", url: "https://example.org/a.png" } },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
      { type: "image", source: { type: "base64", media_type: "image/gif", data: "Rw==" } },
      text("[an image was left out]"),
    ]);
    expect(warnings).to.deep.equal([
      "an image was left out: only JPEG, PNG, GIF and WebP are taken, as data or by an https address",
    ]);
  });
});

describe("thoughts of an earlier call", () => {
  const block = { type: "thinking", thinking: "Hm.", signature: "s" };
  const hidden = { type: "redacted_thinking", data: "ZA==" };
  const thought = { extra: { reasoning_blocks: [block, hidden] } };
  const thinking = { mode: "enabled", budgetTokens: 1024 } as const;
  const turn = [user("Go"), calls("a", "think", thought), answers("a", "1"), calls("b"), answers("b", "2")];

  it("are sent again within their turn, as they were signed", async () => {
    const { body, warnings } = await sent({ messages: turn.slice(0, 3), thinking });
    expect(body.messages[1]?.content).to.deep.equal([block, hidden, use("a")]);
    expect([body["thinking"], warnings]).to.deep.equal([{ type: "enabled", budget_tokens: 1024 }, []]);
  });

  it("are not sent again in a later turn, nor when nobody asks to think", async () => {
    const done: ChatMessage = { role: "assistant", content: "Done." };
    const later = await wire([...turn.slice(0, 3), done, user("Next")], { thinking });
    expect(JSON.stringify(later.messages)).to.not.include("signature");
    expect(later["thinking"]).to.deep.equal({ type: "enabled", budget_tokens: 1024 });
    expect(JSON.stringify((await wire(turn)).messages)).to.not.include("signature");
  });

  it("that are lost keep the model from thinking, with a warning, since the vendor would refuse", async () => {
    const { body, warnings } = await sent({ messages: turn, thinking });
    expect(body).to.not.have.property("thinking");
    expect(JSON.stringify(body.messages)).to.not.include("signature");
    expect(warnings).to.deep.equal([
      "thinking was left out: what was thought before the last tool calls is not known any more",
    ]);
  });

  it("of other vendors, and damaged ones, are passed over", async () => {
    const strange: readonly (JsonObject | null)[] = [
      { type: "text", text: "x" },
      { type: "thinking", thinking: "x" },
      { thoughtSignature: "x" },
      null,
      block,
    ];
    const { messages } = await wire(
      [user("Go"), calls("a", "think", { extra: { reasoning_blocks: strange } }), answers("a", "1")],
      {
        thinking,
      },
    );
    expect(messages[1]?.content).to.deep.equal([block, use("a")]);
  });
});

describe("breakpoints of the cache", () => {
  const mark = { cache_control: { type: "ephemeral" } };
  const cached = async (messages: readonly ChatMessage[]): Promise<SentBody> =>
    (await sent({ messages }, {})).body;

  it("stand behind the system prompt and behind what the user said before, and nowhere in the newest turn", async () => {
    const { system, messages } = await cached([
      { role: "system", content: "One." },
      { role: "system", content: "Two." },
      user("a"),
      { role: "assistant", content: "b" },
      user("c"),
      calls("x"),
      answers("x", "1"),
    ]);
    expect(system).to.deep.equal([text("One."), { ...text("Two."), ...mark }]);
    expect(messages.map(({ content }) => content.map((part) => "cache_control" in part))).to.deep.equal([
      [false],
      [true],
      [false],
      [false],
      [false],
    ]);
  });

  it("stand with tools also at the end, which the calls behind the tools' results begin with", async () => {
    const tools = [{ name: "x", description: "X", parameters: { type: "object" } }] as const;
    const turn = [user("a"), { role: "assistant", content: "b" }, user("c"), calls("x"), answers("x", "1")];
    const { messages } = (await sent({ messages: turn as readonly ChatMessage[], tools }, {})).body;
    expect(messages.map(({ content }) => content.map((part) => "cache_control" in part))).to.deep.equal([
      [false],
      [true],
      [false],
      [false],
      [true],
    ]);
  });

  it("are the caller's where it sets some, the last four at most", async () => {
    const own = (content: string, role: ChatMessage["role"] = "user"): ChatMessage => ({
      role,
      content,
      extra: { cache_control: { type: "ephemeral", ttl: "1h" } },
    });
    const { messages } = await cached([
      own("a"),
      own("b", "assistant"),
      own("c"),
      own("d", "assistant"),
      own("e"),
      { role: "assistant", content: "f" },
      user("g"),
    ]);
    const marks = messages.map(({ content }) => content[0]?.["cache_control"]);
    const hour = { type: "ephemeral", ttl: "1h" };
    expect(marks).to.deep.equal([undefined, hour, hour, hour, hour, undefined, undefined]);
  });

  it("are left out when the settings say so", async () => {
    const { body } = await sent(
      { model: past, messages: [{ role: "system", content: "One." }, user("a")] },
      { cache: false },
    );
    expect(JSON.stringify(body)).to.not.include("cache_control");
  });
});
