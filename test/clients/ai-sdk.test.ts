import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../support/host.ts";

const weather = tool({
  description: "The weather in a city",
  inputSchema: jsonSchema<{ city: string }>({
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
  }),
  execute: async ({ city }) => `snow in ${city}`,
});

describe("the AI SDK's OpenAI-compatible provider", () => {
  let stage: Stage;
  const model = () =>
    createOpenAICompatible({ name: "pergola", baseURL: `${stage.host.url}/v1`, includeUsage: true })(
      "custom/test",
    );

  before(async () => {
    stage = await openStage();
  });

  it("generates text", async () => {
    stage.provider.play([chatReply({ text: "Fine." })]);
    expect((await generateText({ model: model(), prompt: "How are you?", maxRetries: 0 })).text).to.equal(
      "Fine.",
    );
  });

  it("streams text through a tool of its own", async () => {
    stage.provider.play([
      chatReply([{ text: "I look." }, { toolCalls: [{ name: "weather", arguments: { city: "Turku" } }] }]),
      chatReply([{ text: ["Snow ", "in Turku."] }, { usage: { promptTokens: 5, completionTokens: 4 } }]),
    ]);
    const result = streamText({
      model: model(),
      prompt: "Weather in Turku?",
      tools: { weather },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    let text = "";
    for await (const piece of result.textStream) text += piece;
    expect(text).to.match(/I look\.\s*Snow in Turku\./);
    expect(
      (await result.steps).map(({ toolResults }) => toolResults.map(({ output }) => output)),
    ).to.deep.equal([["snow in Turku"], []]);
    expect((await result.usage).outputTokens).to.equal(4);
  });

  after(() => stage.end());
});
