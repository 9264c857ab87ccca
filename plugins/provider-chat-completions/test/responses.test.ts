import { expect } from "chai";
import type { ModelCall, ModelInfo } from "@pergola/sdk";
import {
  describeProvider,
  frame,
  jsonReply,
  mockProviderServer,
  type MockProviderServer,
  type MockReply,
} from "@pergola/sdk/testing";
import { ask, fullCall, open, user, type Answer } from "./support.ts";
import { responsesReply } from "./responses-reply.ts";

const model = "gpt-5.1-codex";

describeProvider(
  "openai, by the Responses format",
  async (turn) => {
    const server = await mockProviderServer(responsesReply(turn));
    return {
      provider: await open("openai", { baseUrl: server.baseUrl }),
      requestReceived: () => server.request(0),
      connectionClosed: async () => (await server.request(0)).outcome,
      close: () => server.close(),
    };
  },
  { model },
);

describe("the Responses format", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer(responsesReply({ text: "Yes." }));
  });
  afterEach(() => server.close());

  const sent = async (given: Partial<ModelCall>, type = "openai", extra = {}) => {
    const { warnings } = await ask(await open(type, { baseUrl: server.baseUrl, extra }), { model, ...given });
    return {
      ...server.requests.at(-1),
      body: server.requests.at(-1)?.body as Readonly<Record<string, unknown>>,
      warnings,
    };
  };
  const answered = async (...body: MockReply["body"]): Promise<Answer> => {
    server.play({ body });
    return ask(await open("openai", { baseUrl: server.baseUrl }), { model });
  };

  it("is asked for with everything that a caller can set", async () => {
    const { path, body, warnings } = await sent({ ...fullCall, model });
    expect(path).to.equal("/v1/responses");
    expect(body).to.deep.equal({
      model,
      input: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "List." },
        {
          type: "function_call",
          call_id: "call_1",
          name: "todo_operations",
          arguments: '{"operation":"list"}',
        },
        { type: "function_call_output", call_id: "call_1", output: "[]" },
      ],
      tools: [
        {
          type: "function",
          name: "todo_operations",
          description: "Keep a list.",
          parameters: {
            type: "object",
            properties: { operation: { type: "string" } },
            required: ["operation"],
          },
          strict: false,
        },
      ],
      max_output_tokens: 100,
      text: { format: { type: "json_object" } },
      tool_choice: "auto",
      parallel_tool_calls: true,
      user: "u1",
      reasoning: { effort: "low", summary: "auto" },
      stream: true,
      store: false,
    });
    expect(warnings.map((text) => text.split(" ")[0])).to.have.members([
      "temperature",
      "top_p",
      "repetition_penalty",
      "presence_penalty",
      "frequency_penalty",
      "stop",
      "seed",
    ]);
  });

  it("says plainly what chat requests wrap", async () => {
    const { body } = await sent({
      tools: fullCall.tools,
      sampling: {
        responseFormat: {
          type: "json_schema",
          json_schema: { name: "place", strict: true, schema: { type: "object" } },
        },
        toolChoice: { type: "function", function: { name: "todo_operations" } },
      },
    });
    expect(body["text"]).to.deep.equal({
      format: { type: "json_schema", name: "place", strict: true, schema: { type: "object" } },
    });
    expect(body["tool_choice"]).to.deep.equal({ type: "function", name: "todo_operations" });
  });

  it("carries pictures, and what an assistant said beside its calls", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } } as const;
    const { body } = await sent({
      messages: [
        user([{ type: "text", text: "What is it?" }, image]),
        { role: "assistant", content: "Looking.", toolCalls: [{ id: "c", name: "look", arguments: "{}" }] },
        { role: "tool", toolCallId: "c", content: "a bird" },
      ],
    });
    expect(body["input"]).to.deep.equal([
      {
        role: "user",
        content: [
          { type: "input_text", text: "What is it?" },
          { type: "input_image", image_url: image.image_url.url, detail: "auto" },
        ],
      },
      { role: "assistant", content: "Looking." },
      { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: "a bird" },
    ]);
  });

  it("honours the provider's own body and leave_out", async () => {
    const { body } = await sent({}, "openai", { body: { service_tier: "flex" }, leave_out: ["store"] });
    expect(body).to.include({ service_tier: "flex" });
    expect(body).to.not.have.property("store");
  });

  it("is used for the models that know no other, by name", async () => {
    const paths: Record<string, string | undefined> = {};
    for (const name of [
      "gpt-5",
      "gpt-4.1",
      "o3",
      "o3-pro",
      "gpt-5-pro",
      "gpt-5.2-pro",
      "o4-mini-deep-research",
      "codex-mini-latest",
    ]) {
      paths[name] = (await sent({ model: name })).path?.slice("/v1".length);
    }
    const chat = "/chat/completions";
    expect(paths).to.deep.equal({
      "gpt-5": chat,
      "gpt-4.1": chat,
      o3: chat,
      "o3-pro": "/responses",
      "gpt-5-pro": "/responses",
      "gpt-5.2-pro": "/responses",
      "o4-mini-deep-research": "/responses",
      "codex-mini-latest": "/responses",
    });
    expect((await sent({}, "custom")).path).to.equal("/v1/chat/completions");
  });

  it("is used where the listing names its endpoint alone, whatever the name", async () => {
    const models = [
      { id: "both-codex", supported_endpoints: ["/chat/completions", "/responses"] },
      { id: "only", supported_endpoints: ["/responses", "ws:/responses"] },
      { id: "silent-codex" },
    ];
    const listing = await mockProviderServer(responsesReply({ text: "Yes." }), { models });
    const provider = await open("openai", { baseUrl: listing.baseUrl });
    expect(
      (await provider.listModels(new AbortController().signal)).map(({ id }: ModelInfo) => id),
    ).to.have.lengthOf(3);
    for (const { id } of models) await ask(provider, { model: id });
    expect(listing.requests.map(({ path }) => path)).to.deep.equal([
      "/v1/chat/completions",
      "/v1/responses",
      "/v1/responses",
    ]);
    await listing.close();
  });

  it("hands a bypassed request on as the chat completion it is", async () => {
    const { path, body } = await sent({
      raw: { model: "x", messages: [{ role: "user", content: "Hi" }], odd: 1 },
    });
    expect([path, body["model"], body["odd"]]).to.deep.equal(["/v1/chat/completions", model, 1]);
  });

  it("is read where items come whole, at the end of each or of all", async () => {
    const call = { type: "function_call", call_id: "c1", name: "look", arguments: '{"a":1}' };
    const { calls, last } = await answered(
      frame({ type: "response.output_item.done", output_index: 4, item: call }),
      frame({ type: "response.completed", response: { output: [call] } }),
    );
    expect(calls).to.deep.equal([{ id: "c1", name: "look", arguments: '{"a":1}' }]);
    expect(last).to.deep.equal({ type: "end", reason: "tool_calls" });
    const message = { type: "message", content: [{ type: "output_text", text: "Whole." }] };
    expect(
      (await answered(frame({ type: "response.completed", response: { output: [message] } }))).text,
    ).to.equal("Whole.");
  });

  it("says no arguments twice when they came in pieces and come again whole", async () => {
    const item = (args: string) => ({ type: "function_call", call_id: "c1", name: "look", arguments: args });
    const { calls } = await answered(
      frame({ type: "response.output_item.added", output_index: 0, item: item("") }),
      frame({ type: "response.function_call_arguments.delta", output_index: 0, delta: '{"a"' }),
      frame({ type: "response.output_item.done", output_index: 0, item: item('{"a":1}') }),
      frame({ type: "response.completed", response: {} }),
    );
    expect(calls).to.deep.equal([{ id: "c1", name: "look", arguments: '{"a":1}' }]);
  });

  it("sets messages and parts of reasoning off from one another", async () => {
    const part = (summary_index: number) =>
      frame({ type: "response.reasoning_summary_part.added", summary_index });
    const thought = (delta: string) => frame({ type: "response.reasoning_summary_text.delta", delta });
    const message = frame({ type: "response.output_item.added", item: { type: "message", content: [] } });
    const said = (delta: string) => frame({ type: "response.output_text.delta", delta });
    const end = frame({ type: "response.completed", response: {} });
    const { text, reasoning } = await answered(
      part(0),
      thought("One."),
      part(1),
      thought("Two."),
      message,
      said("A."),
      message,
      said("B."),
      end,
    );
    expect([reasoning, text]).to.deep.equal(["One.\n\nTwo.", "A.\n\nB."]);
  });

  it("is read from a server that does not stream", async () => {
    server.play(
      jsonReply({
        object: "response",
        status: "completed",
        error: null,
        output: [{ type: "message", content: [{ type: "output_text", text: "Hello." }] }],
      }),
    );
    const { text, last } = await ask(await open("openai", { baseUrl: server.baseUrl }), { model });
    expect([text, last]).to.deep.equal(["Hello.", { type: "end", reason: "stop" }]);
  });

  it("fails with the code of an error event (F9)", async () => {
    const { error } = await answered(
      frame({ type: "error", code: "rate_limit_exceeded", message: "slow down", param: null }),
    );
    expect(error).to.include({ code: "provider_rate_limited" });
    const failed = await answered(
      frame({ type: "response.failed", response: { error: { code: "server_error", message: "broke" } } }),
    );
    expect(failed.error).to.include({ code: "provider_error" });
  });

  it("fails when the stream ends before the response did (F9)", async () => {
    const { error, text, last } = await answered(
      frame({ type: "response.output_text.delta", delta: "Half" }),
    );
    expect([text, last?.type]).to.deep.equal(["Half", "text"]);
    expect(error)
      .to.include({ code: "provider_error" })
      .and.to.have.nested.property("details.retryable", true);
  });

  it("passes over events that it does not know", async () => {
    const odd =
      frame({ type: "response.telepathy.delta", delta: "x" }) +
      frame({ type: "constructor" }) +
      frame({ type: "__proto__" });
    expect((await answered(odd, frame({ type: "response.completed", response: {} }))).events).to.deep.equal([
      { type: "end", reason: "stop" },
    ]);
  });
});
