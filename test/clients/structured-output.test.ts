import { readFileSync } from "node:fs";
import path from "node:path";
import { chatReply, type MockReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { root } from "../architecture/tree.ts";
import { openStage, type Stage } from "../support/host.ts";

const page = readFileSync(path.join(root, "docs/structured-output.md"), "utf8");
const [, example = ""] = /```json\n([^]*?)```/.exec(page) ?? [];
const request = JSON.parse(example) as ChatCompletionCreateParamsNonStreaming;

const format = request.response_format as OpenAI.ResponseFormatJSONSchema;
const schema = format.json_schema.schema as Readonly<Record<string, unknown>>;

const right = { city: "Oslo", degrees: 7 };
const says = (text: string): MockReply => chatReply({ text });
const repaired = [says("It is mild."), says(JSON.stringify(right))];
const wrong = [says("It is mild."), says('{"city":"Oslo"}')];

const codeOf = async (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => (error as { readonly code?: string }).code);

describe("structured output in clients", () => {
  let stage: Stage;
  let client: OpenAI;
  before(async () => {
    stage = await openStage();
    client = new OpenAI({ baseURL: `${stage.host.url}/v1`, apiKey: "anything", maxRetries: 0 });
  });
  after(() => stage.end());

  it("is parsed by the openai client, or refused", async () => {
    stage.provider.play(repaired);
    const { choices } = await client.chat.completions.parse(request);
    expect(choices[0]?.message.parsed).to.deep.equal(right);
    stage.provider.play(wrong);
    expect(await codeOf(client.chat.completions.parse(request))).to.equal("output_invalid");
  });

  it("is streamed to the openai client, or ends with an error", async () => {
    stage.provider.play(repaired);
    const { choices } = await client.chat.completions
      .stream({ ...request, stream: true })
      .finalChatCompletion();
    expect(JSON.parse(choices[0]?.message.content ?? "")).to.deep.equal(right);
    stage.provider.play(wrong);
    const failing = client.chat.completions.stream({ ...request, stream: true });
    expect(await codeOf(failing.finalChatCompletion())).to.equal("output_invalid");
  });

  it("is parsed by the openai client's responses, or refused", async () => {
    const body = {
      model: "default",
      input: "How warm is it in Oslo?",
      text: { format: { type: "json_schema", name: "weather", strict: true, schema } },
    } as const;
    stage.provider.play(repaired);
    expect((await client.responses.parse(body)).output_parsed).to.deep.equal(right);
    stage.provider.play(wrong);
    expect(await codeOf(client.responses.parse(body))).to.equal("output_invalid");
  });

  it("is given to the ollama client, with a warning where it is wrong", async () => {
    const ollama = new Ollama({ host: stage.host.url });
    const body = { model: "custom/test", messages: request.messages as never, format: schema };
    stage.provider.play(repaired);
    expect(JSON.parse((await ollama.chat(body)).message.content)).to.deep.equal(right);
    stage.provider.play(wrong);
    const answer = (await ollama.chat(body)) as unknown as {
      readonly service_metadata: { readonly warnings: readonly string[] };
    };
    expect(answer.service_metadata.warnings.join()).to.match(/^response_format was not met: /);
  });

  it("is given in the Messages format, with a warning where it is wrong", async () => {
    const body = {
      model: "custom/test",
      max_tokens: 500,
      messages: request.messages,
      output_config: { format: { type: "json_schema", schema } },
    };
    interface Answer {
      readonly content: readonly { readonly text: string }[];
      readonly service_metadata: { readonly warnings: readonly string[] };
    }
    stage.provider.play(repaired);
    const answered = (await stage.host.json<Answer>("POST", "/v1/messages", body)).body;
    expect(JSON.parse(answered.content[0]?.text ?? "")).to.deep.equal(right);
    stage.provider.play(wrong);
    const { service_metadata: metadata } = (await stage.host.json<Answer>("POST", "/v1/messages", body)).body;
    expect(metadata.warnings.join()).to.match(/^response_format was not met: /);
  });
});
