import Anthropic from "@anthropic-ai/sdk";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { sentBody } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";

const weather = {
  name: "get_weather",
  description: "The weather in a city",
  input_schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
};
const user = (content: string) => ({ role: "user", content }) as const;
const asked = { model: "custom/test", max_tokens: 200 } as const;

describe("the anthropic client", () => {
  let stage: Stage;
  let client: Anthropic;

  before(async () => {
    stage = await openStage();
    client = new Anthropic({ baseURL: stage.host.url, apiKey: "anything", maxRetries: 0 });
  });
  after(() => stage.end());

  it("creates a message", async () => {
    stage.provider.play([
      chatReply([{ text: ["Good ", "day."] }, { usage: { promptTokens: 11, completionTokens: 3 } }]),
    ]);
    const message = await client.messages.create({
      ...asked,
      system: "Be brief.",
      messages: [user("Hello")],
    });
    expect(message).to.deep.include({
      type: "message",
      role: "assistant",
      model: "custom/test",
      stop_reason: "end_turn",
      stop_sequence: null,
    });
    expect(message.content).to.deep.equal([{ type: "text", text: "Good day.", citations: null }]);
    expect(message.usage).to.deep.include({ input_tokens: 11, output_tokens: 3 });
    expect(message._request_id).to.be.a("string");
    const { messages, max_tokens: limit } = sentBody(stage);
    expect([
      limit,
      messages.some(({ role, content }) => role === "system" && String(content).includes("Be brief.")),
    ]).to.deep.equal([200, true]);
  });

  it("streams raw events", async () => {
    stage.provider.play([chatReply({ text: ["one ", "two ", "three"] })]);
    let text = "";
    const types: string[] = [];
    for await (const event of await client.messages.create({
      ...asked,
      messages: [user("Count")],
      stream: true,
    })) {
      if (types.at(-1) !== event.type) types.push(event.type);
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
    }
    expect(text).to.equal("one two three");
    expect(types).to.deep.equal([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  it("hears at the start how much the model was sent, and at the end what was used", async () => {
    stage.provider.play([
      chatReply([{ text: "Yes." }, { usage: { promptTokens: 4000, completionTokens: 2 } }]),
    ]);
    const stream = await client.messages.create({ ...asked, messages: [user("Hello")], stream: true });
    let [begun, ended]: (number | null)[] = [];
    for await (const event of stream) {
      if (event.type === "message_start") begun = event.message.usage.input_tokens;
      if (event.type === "message_delta") ended = event.usage.input_tokens;
    }
    const sent =
      JSON.stringify(sentBody(stage).messages).length + JSON.stringify(sentBody(stage).tools).length;
    expect(begun).to.be.within(sent / 5, sent / 3);
    expect(ended).to.equal(4000);
  });

  it("streams with its helper, thoughts and all", async () => {
    stage.provider.play([
      chatReply([
        { reasoning: ["Let me ", "see."] },
        { text: ["It is ", "so."] },
        { usage: { promptTokens: 20, completionTokens: 9 } },
      ]),
    ]);
    const heard = { text: "", thinking: "" };
    const stream = client.messages
      .stream({ ...asked, messages: [user("Why?")], thinking: { type: "adaptive" } })
      .on("text", (piece) => (heard.text += piece))
      .on("thinking", (piece) => (heard.thinking += piece));
    const { content, usage, stop_reason: reason } = await stream.finalMessage();
    expect(heard).to.deep.equal({ text: "It is so.", thinking: "Let me see." });
    expect(content.map((block) => block.type)).to.deep.equal(["thinking", "text"]);
    expect([reason, usage.input_tokens, usage.output_tokens]).to.deep.equal(["end_turn", 20, 9]);
  });

  for (const streamed of [false, true]) {
    it(`calls a tool of its own and sends back the result${streamed ? ", streamed" : ""}`, async () => {
      stage.provider.play([
        chatReply([
          { text: "I look." },
          { toolCalls: [{ name: "get_weather", arguments: ['{"ci', 'ty":"Oslo"}'] }] },
        ]),
        chatReply({ text: "Rain in Oslo." }),
      ]);
      const ask = async (messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> => {
        const params = { ...asked, messages, tools: [weather] };
        return streamed ? client.messages.stream(params).finalMessage() : client.messages.create(params);
      };
      const question = user("Weather in Oslo?");
      const first = await ask([question]);
      const use = first.content.find((block) => block.type === "tool_use");
      expect([first.stop_reason, use?.name, use?.input]).to.deep.equal([
        "tool_use",
        "get_weather",
        { city: "Oslo" },
      ]);
      const content: Anthropic.TextBlockParam[] = [{ type: "text", text: "rain" }];
      const result: Anthropic.ToolResultBlockParam = {
        type: "tool_result",
        tool_use_id: use?.id ?? "",
        content,
      };
      const second = await ask([
        question,
        { role: "assistant", content: first.content },
        { role: "user", content: [result] },
      ]);
      expect(second.content).to.deep.equal([{ type: "text", text: "Rain in Oslo.", citations: null }]);
      const { messages, tools } = sentBody(stage);
      expect(messages.filter(({ role }) => role !== "system").map(({ role }) => role)).to.deep.equal([
        "user",
        "assistant",
        "tool",
      ]);
      expect(messages.at(-1)).to.deep.include({ role: "tool", content: "rain" });
      expect(tools?.map((tool) => tool.function.name)).to.deep.equal(["get_weather"]);
    });
  }

  for (const stream of [false, true]) {
    it(`runs its tools in a loop over a thread that the service does not hold${stream ? ", streamed" : ""} (C7)`, async () => {
      stage.provider.play([
        chatReply({ toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }] }),
        chatReply({ toolCalls: [{ name: "get_weather", arguments: { city: "Rome" } }] }),
        chatReply({ text: "Rain in Oslo, sun in Rome." }),
      ]);
      const cities: unknown[] = [];
      const run = async (input: unknown): Promise<string> => {
        cities.push(input);
        return "rain";
      };
      const tools = [{ ...weather, type: "custom" as const, run, parse: (input: unknown) => input }];
      const params = { ...asked, system: "Be brief.", messages: [user("Weather?")], tools };
      const final = stream
        ? await client.beta.messages.toolRunner({ ...params, stream: true }).runUntilDone()
        : await client.beta.messages.toolRunner(params).runUntilDone();
      expect(final.content.map((block) => (block.type === "text" ? block.text : ""))).to.deep.equal([
        "Rain in Oslo, sun in Rome.",
      ]);
      expect(cities).to.deep.equal([{ city: "Oslo" }, { city: "Rome" }]);
      const { messages } = sentBody(stage);
      const roles = messages.filter(({ role }) => role !== "system").map(({ role }) => role);
      expect(roles).to.deep.equal(["user", "assistant", "tool", "assistant", "tool"]);
    });
  }

  it("sends system messages between its turns, beta headers and tools of the vendor (C1, C15)", async () => {
    stage.provider.play([chatReply({ text: "Ok." })]);
    const message = await client.beta.messages.create({
      ...asked,
      betas: ["claude-code-20250219", "interleaved-thinking-2025-05-14"],
      messages: [user("Hello"), { role: "system", content: "Be kind." }],
      tools: [{ type: "web_search_20250305", name: "web_search" }, weather],
      tool_choice: { type: "auto" },
    });
    expect(message.content[0]).to.deep.include({ type: "text", text: "Ok." });
    expect(JSON.stringify(sentBody(stage).messages)).to.match(/Hello[^]*Be kind\./);
    expect(sentBody(stage).tools?.map((tool) => tool.function.name)).to.deep.equal(["get_weather"]);
  });

  it("lists models (C18)", async () => {
    const page = await client.models.list({ limit: 1 });
    expect([page.has_more, page.data.length]).to.deep.equal([false, 1]);
    expect(page.data[0]).to.include({ type: "model", display_name: "test", id: "custom/test" });
    const found = await client.models.retrieve("custom/test");
    expect(found).to.include({ id: "custom/test", type: "model" });
    expect(found._request_id).to.be.a("string");
  });

  for (const [way, call] of Object.entries({
    "a model that is not there": () => client.models.retrieve("nobody/nothing"),
    "a page behind nothing": () => client.models.list({ after_id: "nobody/nothing" }),
    "a route that is not there": () => client.get("/v1/organizations"),
  })) {
    it(`gets the format's errors for ${way}, with the request's id`, async () => {
      const error: unknown = await call().then(
        () => undefined,
        (failure: unknown) => failure,
      );
      if (!(error instanceof Anthropic.NotFoundError)) throw new Error(`not found, not ${String(error)}`);
      expect(error.type).to.equal("not_found_error");
      expect(error.requestID).to.be.a("string");
      expect(error.error).to.deep.include({ type: "error", request_id: error.requestID });
    });
  }

  it("gets the format's error for a credential that is refused, before any route", async () => {
    const remote = { headers: { "X-Forwarded-For": "192.0.2.1" } };
    const error: unknown = await client.models.list({}, remote).catch((failure: unknown) => failure);
    expect(error)
      .to.be.instanceOf(Anthropic.AuthenticationError)
      .with.property("type", "authentication_error");
    expect(error).to.have.property("requestID").that.is.a("string");
  });

  it("leaves the service's own errors to requests that do not speak its format", async () => {
    const answer = await fetch(`${stage.host.url}/v1/models/nobody/nothing`);
    expect(answer.headers.has("request-id")).to.equal(false);
    expect(await answer.json()).to.have.nested.property("error.code", "model_not_found");
  });

  it("aborts, and the provider's request ends with it", async () => {
    stage.provider.play([chatReply([{ text: "first" }, { hang: true }])]);
    const number = stage.provider.requests.length;
    const stream = await client.messages.create({
      ...asked,
      messages: [user("Go on for ever")],
      stream: true,
    });
    for await (const event of stream) if (event.type === "content_block_delta") break;
    expect(await (await stage.provider.request(number)).outcome).to.equal("aborted");
  });

  it("counts tokens", async () => {
    const { input_tokens: count } = await client.messages.countTokens({
      model: "custom/test",
      messages: [user("x".repeat(400))],
    });
    expect(count).to.be.within(100, 110);
  });

  it("gets typed errors", async () => {
    const failing = async (more: object): Promise<unknown> =>
      client.messages
        .create({ ...asked, messages: [user("x")], ...more } as Anthropic.MessageCreateParamsNonStreaming)
        .catch((error: unknown) => error);
    expect(await failing({ model: "nobody/nothing" }))
      .to.be.instanceOf(Anthropic.NotFoundError)
      .with.property("type", "not_found_error");
    expect(await failing({ max_tokens: 0 }))
      .to.be.instanceOf(Anthropic.BadRequestError)
      .with.property("type", "invalid_request_error");
    const long = "This model's maximum context length is 100 tokens";
    for (const message of [long, "prompt is too long: 200 tokens > 100 maximum"]) {
      stage.provider.play([chatReply({ error: { status: 400, message } })]);
      expect(await failing({}))
        .to.be.instanceOf(Anthropic.BadRequestError)
        .with.property("message")
        .that.matches(/prompt is too long(?![^]*too long)/)
        .and.includes(message);
    }
    stage.provider.play([chatReply({ error: { status: 429, message: "slow down" } })]);
    expect(await failing({}))
      .to.be.instanceOf(Anthropic.RateLimitError)
      .with.property("type", "rate_limit_error");
    stage.provider.play([chatReply({ error: { status: 500 } })]);
    expect(await failing({}))
      .to.be.instanceOf(Anthropic.InternalServerError)
      .with.property("type", "api_error");
  });

  it("gets an error inside a stream that has begun", async () => {
    stage.provider.play([chatReply([{ text: "Partly" }, { error: { status: 500, message: "broke" } }])]);
    let text = "";
    const stream = client.messages
      .stream({ ...asked, messages: [user("x")] })
      .on("text", (piece) => (text += piece));
    const error: unknown = await stream.finalMessage().catch((failure: unknown) => failure);
    expect(error).to.be.instanceOf(Anthropic.APIError).with.property("type", "api_error");
    expect(text).to.equal("Partly");
  });
});
