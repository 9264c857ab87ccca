import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  generateObject,
  generateText,
  jsonSchema,
  Output,
  stepCountIs,
  streamText,
  tool,
} from "ai";
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
    createOpenAICompatible({
      name: "pergola",
      baseURL: `${stage.host.url}/v1`,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })("custom/test");

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

  const forecast = jsonSchema<{ city: string; degrees: number }>({
    type: "object",
    properties: { city: { type: "string" }, degrees: { type: "integer" } },
    required: ["city", "degrees"],
    additionalProperties: false,
  });
  const right = { city: "Turku", degrees: -4 };
  const says = (text: string) => chatReply({ text });
  const repaired = [says("Cold."), says(JSON.stringify(right))];
  const wrong = [says("Cold."), says('{"city":"Turku"}')];
  const request = () => ({ model: model(), prompt: "How cold is it in Turku?", maxRetries: 0 });

  /** The code with which the service has refused to answer. */
  const refusalOf = async (answer: PromiseLike<unknown>): Promise<unknown> => {
    const error = await Promise.resolve(answer).catch((fault: unknown) => fault);
    if (!APICallError.isInstance(error)) return error;
    const { error: told } = JSON.parse(error.responseBody ?? "") as { readonly error: { code: string } };
    return [error.statusCode, told.code];
  };

  it("generates objects of a schema, or is refused", async () => {
    stage.provider.play(repaired);
    const { object } = await generateObject({ ...request(), schema: forecast });
    expect(object).to.deep.equal(right);
    stage.provider.play(wrong);
    const refused = generateObject({ ...request(), schema: forecast });
    expect(await refusalOf(refused)).to.deep.equal([502, "output_invalid"]);
  });

  it("generates text whose output is an object of a schema, or is refused", async () => {
    const output = Output.object({ schema: forecast });
    stage.provider.play(repaired);
    expect((await generateText({ ...request(), output })).output).to.deep.equal(right);
    stage.provider.play(wrong);
    expect(await refusalOf(generateText({ ...request(), output }))).to.deep.equal([502, "output_invalid"]);
  });

  it("streams an object of a schema, or ends with an error", async () => {
    const output = Output.object({ schema: forecast });
    stage.provider.play(repaired);
    expect(await streamText({ ...request(), output }).output).to.deep.equal(right);
    stage.provider.play(wrong);
    const errors: unknown[] = [];
    const result = streamText({ ...request(), output, onError: ({ error }) => void errors.push(error) });
    const failed = await Promise.resolve(result.output).catch(() => "failed");
    expect(failed).to.equal("failed");
    expect(errors[0]).to.include({ code: "output_invalid" });
  });

  after(() => stage.end());
});
