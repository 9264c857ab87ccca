import { expect } from "chai";
import OpenAI from "openai";
import { chatReply } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../support/host.ts";

const weather = {
  type: "function",
  function: {
    name: "get_weather",
    description: "The weather in a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
} as const;
const user = (content: string) => ({ role: "user", content }) as const;

describe("the openai client", () => {
  let stage: Stage;
  let client: OpenAI;

  before(async () => {
    stage = await openStage();
  });

  for (const base of ["/api", "/v1"]) {
    describe(`at ${base}`, () => {
      before(() => {
        client = new OpenAI({ baseURL: stage.host.url + base, apiKey: "anything", maxRetries: 0 });
      });

      it("lists models and gets one", async () => {
        const ids = (await client.models.list()).data.map(({ id }) => id);
        expect(ids).to.include("custom/test");
        expect((await client.models.retrieve("custom/test")).id).to.equal("custom/test");
      });

      it("chats", async () => {
        stage.provider.play([
          chatReply([{ text: ["Good ", "day."] }, { usage: { promptTokens: 11, completionTokens: 3 } }]),
        ]);
        const answer = await client.chat.completions.create({
          model: "custom/test",
          messages: [user("Hello")],
        });
        expect(answer.choices[0]?.message.content).to.equal("Good day.");
        expect(answer.usage).to.deep.equal({ prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 });
      });

      it("streams", async () => {
        stage.provider.play([chatReply({ text: ["one ", "two ", "three"] })]);
        const stream = await client.chat.completions.create({
          model: "custom/test",
          messages: [user("Count")],
          stream: true,
        });
        let [text, finishes] = ["", 0];
        for await (const chunk of stream) {
          text += chunk.choices[0]?.delta.content ?? "";
          if (chunk.choices[0]?.finish_reason) finishes += 1;
        }
        expect([text, finishes]).to.deep.equal(["one two three", 1]);
      });

      it("runs a tool of its own and sends back the answer", async () => {
        stage.provider.play([
          chatReply({ toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }] }),
          chatReply({ text: "Rain in Oslo." }),
        ]);
        const getWeather = {
          ...weather.function,
          parameters: { ...weather.function.parameters, required: ["city"] },
          parse: (text: string) => JSON.parse(text) as { city: string },
          function: ({ city }: { city: string }) => `rain in ${city}`,
        };
        const runner = client.chat.completions.runTools({
          model: "custom/test",
          messages: [user("Weather in Oslo?")],
          tools: [{ type: "function", function: getWeather }],
        });
        expect(await runner.finalContent()).to.equal("Rain in Oslo.");
        const sent = stage.provider.requests.at(-1)?.body as {
          readonly messages: readonly { readonly role: string; readonly content: string }[];
        };
        expect(sent.messages.find(({ role }) => role === "tool")?.content).to.equal("rain in Oslo");
      });

      it("streams a tool call", async () => {
        stage.provider.play([
          chatReply({ toolCalls: [{ name: "get_weather", arguments: ['{"ci', 'ty":"Rome"}'] }] }),
        ]);
        const stream = client.chat.completions.stream({
          model: "custom/test",
          messages: [user("Weather?")],
          tools: [weather],
        });
        const [choice] = (await stream.finalChatCompletion()).choices;
        expect(choice?.finish_reason).to.equal("tool_calls");
        expect(choice?.message.tool_calls?.[0]).to.deep.include({ type: "function" });
        expect(
          JSON.parse(
            (choice?.message.tool_calls?.[0] as { function: { arguments: string } }).function.arguments,
          ),
        ).to.deep.equal({
          city: "Rome",
        });
      });

      it("aborts, and the provider's request ends with it", async () => {
        stage.provider.play([chatReply([{ text: "first" }, { hang: true }])]);
        const number = stage.provider.requests.length;
        const stream = await client.chat.completions.create({
          model: "custom/test",
          messages: [user("Go on for ever")],
          stream: true,
        });
        for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
        stream.controller.abort();
        expect(await (await stage.provider.request(number)).outcome).to.equal("aborted");
      });

      it("gets typed errors", async () => {
        const unknown = await client.chat.completions
          .create({ model: "nobody/nothing", messages: [user("x")] })
          .catch((error: unknown) => error);
        expect(unknown).to.be.instanceOf(OpenAI.NotFoundError).with.property("code", "model_not_found");
        const range = await client.chat.completions
          .create({ model: "custom/test", messages: [user("x")], temperature: 3 })
          .catch((error: unknown) => error);
        expect(range).to.be.instanceOf(OpenAI.BadRequestError).with.property("code", "out_of_range");
      });
    });
  }

  after(() => stage.end());
});
