import { expect } from "chai";
import OpenAI from "openai";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { chatReply } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../support/host.ts";

const weather = {
  type: "function",
  name: "get_weather",
  description: "The weather in a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
  strict: true,
} as const;
const model = "custom/test";

for (const base of ["/api", "/v1"]) {
  describe(`the openai client's responses at ${base}`, () => {
    let stage: Stage;
    let client: OpenAI;
    before(async () => {
      stage = await openStage();
      client = new OpenAI({ baseURL: stage.host.url + base, apiKey: "anything", maxRetries: 0 });
    });
    after(() => stage.end());

    it("are created", async () => {
      stage.provider.play([
        chatReply([{ text: ["Good ", "day."] }, { usage: { promptTokens: 11, completionTokens: 3 } }]),
      ]);
      const response = await client.responses.create({ model, input: "Hello", instructions: "Be kind." });
      expect([response.output_text, response.status, response.error]).to.deep.equal([
        "Good day.",
        "completed",
        null,
      ]);
      expect(response.usage).to.deep.include({ input_tokens: 11, output_tokens: 3, total_tokens: 14 });
    });

    it("are streamed as typed events", async () => {
      stage.provider.play([chatReply({ text: ["one ", "two ", "three"] })]);
      let text = "";
      for await (const event of await client.responses.create({ model, input: "Count", stream: true })) {
        if (event.type === "response.output_text.delta") text += event.delta;
        if (event.type === "response.completed") expect(event.response.output).to.have.lengthOf(1);
      }
      expect(text).to.equal("one two three");
    });

    it("are gathered by the client's own helper, with reasoning and tools at work between", async () => {
      stage.provider.play([
        chatReply([
          { reasoning: "A thought first." },
          { text: "Looking." },
          { toolCalls: [{ name: "think", arguments: { thoughts: "hm" } }] },
        ]),
        chatReply({ text: "Done." }),
      ]);
      const stream = client.responses.stream({ model, input: "Think", reasoning: { summary: "auto" } });
      const seen: string[] = [];
      stream.on("response.output_text.delta", ({ snapshot }) => seen.push(snapshot));
      const response = await stream.finalResponse();
      expect(response.output.map(({ type }) => type)).to.deep.equal(["reasoning", "message"]);
      expect([response.output_text, seen.at(-1)]).to.deep.equal(["Looking.\n\nDone.", "Looking.\n\nDone."]);
    });

    it("call a function of the client, and go on with its output", async () => {
      stage.provider.play([
        chatReply({ toolCalls: [{ name: "get_weather", arguments: ['{"ci', 'ty":"Oslo"}'] }] }),
        chatReply({ text: "Rain in Oslo." }),
      ]);
      const first = await client.responses
        .stream({ model, input: "Weather in Oslo?", tools: [weather] })
        .finalResponse();
      const [call] = first.output;
      if (call?.type !== "function_call") return expect.fail("the response calls no function");
      expect(JSON.parse(call.arguments)).to.deep.equal({ city: "Oslo" });
      const input: ResponseInputItem[] = [
        { type: "function_call_output", call_id: call.call_id, output: "rain" },
      ];
      const second = await client.responses.create({
        model,
        previous_response_id: first.id,
        input,
        tools: [weather],
      });
      expect(second.output_text).to.equal("Rain in Oslo.");
    });

    it("take their own output back as input", async () => {
      stage.provider.play([chatReply({ text: "first" }), chatReply({ text: "second" })]);
      const first = await client.responses.create({ model, input: "One" });
      const input: ResponseInputItem[] = [
        { role: "user", content: "One" },
        ...first.output,
        { role: "user", content: "Two" },
      ] as never;
      expect((await client.responses.create({ model, input })).output_text).to.equal("second");
      const sent = stage.provider.requests.at(-1)?.body as {
        readonly messages: readonly { readonly role: string }[];
      };
      expect(sent.messages.map(({ role }) => role).filter((role) => role !== "system")).to.deep.equal([
        "user",
        "assistant",
        "user",
      ]);
    });

    it("are parsed into what their schema describes", async () => {
      stage.provider.play([chatReply({ text: '{"city":"Oslo"}' })]);
      const format = {
        type: "json_schema",
        name: "place",
        strict: true,
        schema: weather.parameters,
      } as const;
      const response = await client.responses.parse<never, { city: string }>({
        model,
        input: "Where?",
        text: { format },
      } as never);
      expect(response.output_text).to.equal('{"city":"Oslo"}');
    });

    it("are aborted, and the provider's request ends with them", async () => {
      stage.provider.play([chatReply([{ text: "first" }, { hang: true }])]);
      const number = stage.provider.requests.length;
      const stream = await client.responses.create({ model, input: "Go on for ever", stream: true });
      for await (const event of stream) if (event.type === "response.output_text.delta") break;
      stream.controller.abort();
      expect(await (await stage.provider.request(number)).outcome).to.equal("aborted");
    });

    it("are counted before they are sent, with what they continue", async () => {
      const count = async (body: object): Promise<number> => {
        const counted = await client.responses.inputTokens.count(body);
        expect(counted.object).to.equal("response.input_tokens");
        return counted.input_tokens;
      };
      const input = "x".repeat(400);
      expect(await count({})).to.equal(0);
      expect(await count({ model, input })).to.be.within(100, 110);
      expect(await count({ model, input, instructions: "y".repeat(400) })).to.be.within(200, 220);
      expect(await count({ model, input, tools: [weather] })).to.be.above((await count({ input })) + 20);
      stage.provider.play([chatReply({ text: "z".repeat(800) })]);
      const asked = { model, input };
      const { id, conversation } = await client.responses.create(asked);
      const continued = await count({
        input: [{ role: "user", content: "Go on" }],
        previous_response_id: id,
      });
      expect(continued).to.be.within(300, 330);
      expect(await count({ input: "Go on", conversation: conversation?.id })).to.be.within(300, 330);
      const unknown = async (body: object): Promise<unknown> => count(body).catch((error: unknown) => error);
      expect(await unknown({ ...asked, model: "nobody/nothing" })).to.be.instanceOf(OpenAI.NotFoundError);
      expect(await unknown({ input, previous_response_id: "resp_none" })).to.be.instanceOf(
        OpenAI.NotFoundError,
      );
    });

    it("are not compacted into an item: the refusal says how to continue", async () => {
      const refused: unknown = await client.responses
        .compact({ model, input: "Hello" })
        .catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(OpenAI.NotFoundError);
      expect(String(refused)).to.include("previous_response_id");
    });

    it("fail with the client's typed errors", async () => {
      const failure = async (body: object) =>
        client.responses.create({ model, input: "x", ...body } as never).catch((error: unknown) => error);
      expect(await failure({ model: "nobody/nothing" }))
        .to.be.instanceOf(OpenAI.NotFoundError)
        .with.property("code", "model_not_found");
      expect(await failure({ temperature: 3 }))
        .to.be.instanceOf(OpenAI.BadRequestError)
        .with.property("param", "temperature");
      stage.provider.play([chatReply({ error: { status: 429, message: "slow down" } })]);
      expect(await failure({})).to.be.instanceOf(OpenAI.RateLimitError);
    });
  });
}
