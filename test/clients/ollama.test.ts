import { expect } from "chai";
import { Ollama, type ChatResponse, type Message, type Tool } from "ollama";
import { chatReply } from "@pergola/sdk/testing";
import { sentBody } from "../support/chat.ts";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";

const model = "custom/test";
const user = (content: string): Message => ({ role: "user", content });
const usage = { promptTokens: 11, completionTokens: 3 };
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const weather: Tool = {
  type: "function",
  function: {
    name: "get_weather",
    description: "The weather in a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};

describe("the ollama client", () => {
  let stage: Stage;
  let client: Ollama;

  before(async () => {
    stage = await openStage(undefined, {
      plugins: officialPlugins(["bundle-standard", "provider-scripted"]),
      settings: { "models.overrides": { [model]: { supportsTools: true, supportsVision: true } } },
    });
    client = new Ollama({ host: stage.host.url });
  });
  after(() => stage.end());

  it("lists all models, the guide too, and shows one", async () => {
    const { models } = await client.list();
    expect(models.map(({ name }) => name)).to.include.members([model, "embedded/guide", "embedded/minilm"]);
    for (const one of models) expect(one.digest).to.match(/^[0-9a-f]{64}$/);
    const shown = await client.show({ model });
    expect(shown.capabilities).to.deep.equal(["completion", "tools", "vision"]);
    expect(shown.model_info).to.include({ "general.architecture": "test", "test.context_length": 32_768 });
    expect((await client.show({ model: "embedded/minilm" })).capabilities).to.deep.equal(["embedding"]);
    expect(await client.ps()).to.deep.equal({ models: [] });
    expect(await client.version()).to.deep.equal({ version: "0.12.6" });
  });

  it("chats, whole, with options", async () => {
    stage.provider.play([chatReply([{ text: ["Good ", "day."] }, { usage }])]);
    const options = { temperature: 0.2, top_p: 0.5, num_predict: 30, seed: 4, stop: ["END"], num_ctx: 8192 };
    const answer = await client.chat({ model, messages: [user("Hello")], options });
    expect(answer).to.deep.include({
      model,
      message: { role: "assistant", content: "Good day." },
      done: true,
      done_reason: "stop",
      prompt_eval_count: 11,
      eval_count: 3,
    });
    const { total_duration: total, prompt_eval_duration: reading, eval_duration: writing } = answer;
    expect([total, reading, writing].every((one) => Number.isInteger(one) && one > 0)).to.equal(true);
    expect(sentBody(stage)).to.deep.include({ temperature: 0.2, top_p: 0.5, max_tokens: 30, seed: 4 });
    const metadata = (answer as unknown as { service_metadata: { warnings: readonly string[] } })
      .service_metadata;
    expect(metadata.warnings.filter((text) => text.includes("num_ctx"))).to.have.lengthOf(1);
  });

  it("chats in a stream, thoughts and all", async () => {
    const turn = [{ reasoning: ["Let me ", "see."] }, { text: ["one ", "two"] }, { usage }];
    stage.provider.play([chatReply(turn), chatReply(turn)]);
    const heard = { text: "", thinking: "" };
    const parts: ChatResponse[] = [];
    const messages = [user("Count")];
    const asked = { model: `${model}:latest`, messages, stream: true as const };
    for await (const part of await client.chat({ ...asked, think: "low" })) {
      parts.push(part);
      heard.text += part.message.content;
      heard.thinking += part.message.thinking ?? "";
    }
    expect(heard).to.deep.equal({ text: "one two", thinking: "Let me see." });
    expect(parts.filter(({ done }) => done)).to.have.lengthOf(1);
    expect(parts.at(-1)).to.include({ done: true, done_reason: "stop", eval_count: 3 });
    for await (const { message } of await client.chat(asked))
      expect(message).not.to.have.property("thinking");
  });

  for (const streamed of [false, true]) {
    it(`calls a tool of its own${streamed ? ", streamed" : ""}`, async () => {
      const toolCalls = ["Oslo", "Bergen"].map((city) => ({ name: "get_weather", arguments: { city } }));
      stage.provider.play([
        chatReply([{ text: "I look." }, { toolCalls }]),
        chatReply({ text: "Rain in both." }),
      ]);
      const ask = async (messages: Message[]): Promise<Message> => {
        if (!streamed) return (await client.chat({ model, messages, tools: [weather] })).message;
        let [content, calls]: [string, NonNullable<Message["tool_calls"]>] = ["", []];
        for await (const { message } of await client.chat({
          model,
          messages,
          tools: [weather],
          stream: true,
        })) {
          content += message.content;
          calls = [...calls, ...(message.tool_calls ?? [])];
        }
        return { role: "assistant", content, tool_calls: calls };
      };
      const messages = [user("Weather in Oslo and Bergen?")];
      const first = await ask(messages);
      expect(first.tool_calls?.map(({ function: called }) => called)).to.deep.equal(toolCalls);
      const answers = ["rain", "more rain"].map((content) => ({
        role: "tool",
        content,
        tool_name: "get_weather",
      }));
      const second = await ask([...messages, first, ...answers]);
      expect(second.content).to.equal("Rain in both.");
      const sent = sentBody(stage).messages.filter(({ role }) => role === "tool");
      expect(sent.map(({ content }) => content)).to.deep.equal(["rain", "more rain"]);
    });
  }

  it("shows images, and asks for JSON and for a schema", async () => {
    stage.provider.play(chatReply({ text: '{"colour":"red"}' }));
    await client.chat({ model, messages: [{ ...user("Which colour?"), images: [pixel] }], format: "json" });
    const { messages, response_format: format } = sentBody(stage);
    expect(JSON.stringify(messages.at(-1)?.content)).to.include(`data:image/png;base64,${pixel}`);
    expect(format).to.deep.equal({ type: "json_object" });
    const schema = { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] };
    await client.chat({ model, messages: [user("Which colour?")], format: schema });
    expect(sentBody(stage)["response_format"]).to.deep.include({ type: "json_schema" });
    expect(JSON.stringify(sentBody(stage)["response_format"])).to.include('"colour"');
  });

  it("generates, without tools", async () => {
    stage.provider.play(chatReply([{ text: ["A ", "poem."] }, { usage }]));
    const asked = { model, prompt: "Write", system: "In verse.", images: [pixel] };
    expect(await client.generate(asked)).to.include({ response: "A poem.", done: true, eval_count: 3 });
    const { tools, messages } = sentBody(stage);
    expect(tools ?? []).to.deep.equal([]);
    expect(JSON.stringify(messages)).to.include("In verse.");
    let text = "";
    for await (const { response } of await client.generate({ model, prompt: "Write", stream: true }))
      text += response;
    expect(text).to.equal("A poem.");
    await client.generate({ model, prompt: "const a = ", suffix: ";", stream: false });
    expect(JSON.stringify(sentBody(stage).messages.at(-1))).to.include("<before>const a = </before>");
    const before = stage.provider.requests.length;
    expect(await client.generate({ model, prompt: "" })).to.include({ response: "", done_reason: "load" });
    expect(stage.provider.requests.length).to.equal(before);
  });

  it("makes vectors, in the older way too", async () => {
    const { embeddings, model: by } = await client.embed({
      model: "embedded/minilm",
      input: ["a hut", "a house"],
    });
    expect([by, embeddings.length, embeddings[0]?.length]).to.deep.equal(["embedded/minilm", 2, 384]);
    expect(Math.hypot(...(embeddings[0] ?? []))).to.be.closeTo(1, 1e-5);
    const { embedding } = await client.embeddings({ model: "embedded/minilm:latest", prompt: "a hut" });
    expect(embedding).to.have.lengthOf(384);
    const short = await client.embed({ model: "embedded/minilm", input: "a hut", dimensions: 8 });
    expect(short.embeddings[0]).to.have.lengthOf(8);
  });

  it("tells of errors, before and in a stream", async () => {
    const failureOf = (asked: Promise<unknown>) =>
      asked.then(
        () => undefined,
        ({ message, status_code: status }: { message: string; status_code?: number }) => [status, message],
      );
    const [status, text] = (await failureOf(client.chat({ model: "nobody", messages: [user("Hi")] }))) ?? [];
    expect([status, text]).to.deep.equal([
      404,
      'There is no model "nobody". GET /api/models lists the models.',
    ]);
    expect((await failureOf(client.show({ model: "nobody" })))?.[0]).to.equal(404);
    expect((await failureOf(client.embeddings({ model: "nobody", prompt: "a" })))?.[1]).to.include("nobody");
    expect((await failureOf(client.delete({ model })))?.[0]).to.equal(404);
    stage.provider.play([chatReply([{ text: "So far" }, { error: { status: 500, message: "It broke." } }])]);
    const follow = async (): Promise<void> => {
      for await (const _ of await client.chat({ model, messages: [user("Hi")], stream: true }));
    };
    expect((await failureOf(follow()))?.[1]).to.be.a("string");
  });

  it("is let go in the middle of an answer", async () => {
    const count = stage.provider.requests.length;
    stage.provider.play(chatReply([{ text: "Once upon" }, { hang: true }]));
    const stream = await client.chat({ model, messages: [user("A story")], stream: true });
    const follow = async (): Promise<void> => {
      for await (const { message } of stream) if (message.content !== "") stream.abort();
    };
    const error = await follow().catch((thrown: unknown) => thrown);
    expect(error).to.have.property("name", "AbortError");
    expect(await (await stage.provider.request(count)).outcome).to.equal("aborted");
  });
});
