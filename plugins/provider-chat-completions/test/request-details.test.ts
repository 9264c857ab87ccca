import { expect } from "chai";
import type { ModelCall } from "@pergola/sdk";
import {
  chatReply,
  mockProviderServer,
  type MockProviderServer,
  type MockRequest,
} from "@pergola/sdk/testing";
import { ask, fullCall, kinds, open, tool, user } from "./support.ts";

describe("what is sent", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer(chatReply({ text: "Yes." }));
  });
  afterEach(() => server.close());

  async function sent(type: string, call: Partial<ModelCall>, given: Parameters<typeof open>[1] = {}) {
    const baseUrl = type === "remote-llama" ? server.url : server.baseUrl;
    const { warnings } = await ask(await open(type, { baseUrl, ...given }), call);
    return { request: server.requests.at(-1) as MockRequest, warnings };
  }

  const bodyOf = async (...args: Parameters<typeof sent>): Promise<Record<string, unknown>> =>
    (await sent(...args)).request.body as Record<string, unknown>;

  it("to OpenRouter names the application", async () => {
    expect((await sent("openrouter", {})).request.headers).to.include({
      "x-title": "Pergola",
      "http-referer": "http://localhost",
    });
  });

  it("holds the person's own headers, which win", async () => {
    const { headers } = (
      await sent("custom", {}, { headers: { Authorization: "Basic abc", "X-Team": "garden" } })
    ).request;
    expect(headers).to.include({ authorization: "Basic abc", "x-team": "garden" });
  });

  it("holds no authorization where there is no key", async () => {
    const provider = await open("ollama", { baseUrl: server.baseUrl, apiKey: "" });
    await ask(provider);
    expect(server.requests[0]?.headers).to.not.have.property("authorization");
  });

  it("keeps a query of the base address, and takes one slash too many", async () => {
    expect(
      (await sent("custom", {}, { baseUrl: `${server.url}/openai/v1/?api-version=1` })).request.path,
    ).to.equal("/openai/v1/chat/completions?api-version=1");
  });

  it("to remote-llama does not repeat a /v1 that the person gave", async () => {
    expect((await sent("remote-llama", {}, { baseUrl: `${server.url}/v1/` })).request.path).to.equal(
      "/v1/chat/completions",
    );
  });

  it("to OpenAI's reasoning models leaves out what they refuse, and asks for their effort", async () => {
    const { request, warnings } = await sent("openai", { ...fullCall, model: "gpt-5.1" });
    expect(request.body).to.include({ max_completion_tokens: 100, reasoning_effort: "low", seed: 7 });
    expect(request.body).to.not.have.any.keys(
      "temperature",
      "top_p",
      "stop",
      "presence_penalty",
      "frequency_penalty",
    );
    expect(warnings).to.include("temperature was left out: OpenAI does not take it for gpt-5.1");
  });

  it("holds nothing of tools where there are none", async () => {
    for (const type of kinds) {
      const body = await bodyOf(type, { sampling: { toolChoice: "auto", parallelToolCalls: false } });
      expect(body, type).to.not.have.any.keys("tools", "tool_choice", "parallel_tool_calls", "tool_stream");
    }
  });

  it("holds the tools of this call, whatever the call before it held", async () => {
    const first = { ...tool, description: "Done… 😀" };
    for (const offered of [first, { ...tool, name: "another" }, first]) {
      const { request } = await sent("custom", { tools: [offered] });
      const { tools } = request.body as { readonly tools: readonly { readonly function: typeof tool }[] };
      expect(tools.map((each) => each.function.description)).to.deep.equal([offered.description]);
    }
  });

  it("shows no tools to a vendor that cannot be told to use none", async () => {
    const sampling = { toolChoice: "none" };
    expect(await bodyOf("zai", { tools: [tool], sampling })).to.not.have.any.keys("tools", "tool_choice");
    expect(await bodyOf("openai", { tools: [tool], sampling })).to.include({ tool_choice: "none" });
  });

  it("moves a temperature that a vendor refuses, and says so", async () => {
    const { request, warnings } = await sent("minimax", { sampling: { temperature: 0 } });
    expect(request.body).to.include({ temperature: 0.01 });
    expect(warnings).to.deep.equal(["MiniMax takes temperatures from 0.01 to 1; 0.01 was sent instead of 0"]);
  });

  const switchedOff: Readonly<Record<string, object>> = {
    deepseek: { thinking: { type: "disabled" } },
    zai: { thinking: { type: "disabled" } },
    openrouter: { reasoning: { enabled: false } },
    "remote-llama": { chat_template_kwargs: { enable_thinking: false } },
    ollama: { reasoning_effort: "none" },
  };
  for (const [type, fields] of Object.entries(switchedOff)) {
    it(`switches thinking off at ${type}`, async () => {
      expect(await bodyOf(type, { thinking: { mode: "disabled" } })).to.deep.include(fields);
    });
  }

  it("gives a thinking budget where there is a field for it, and leaves adaptive thinking to the model", async () => {
    const budget = await bodyOf("openrouter", { thinking: { mode: "enabled", budgetTokens: 500 } });
    expect(budget).to.deep.include({ reasoning: { max_tokens: 500 } });
    for (const type of kinds) {
      const { request, warnings } = await sent(type, { thinking: { mode: "adaptive" } });
      expect(warnings, type).to.deep.equal([]);
      expect(request.body, type).to.not.have.any.keys(
        "thinking",
        "reasoning",
        "reasoning_effort",
        "chat_template_kwargs",
      );
    }
  });

  it("says when thinking cannot be switched off", async () => {
    const { warnings } = await sent("minimax", { thinking: { mode: "disabled" } });
    expect(warnings).to.deep.equal(["thinking disabled was left out: MiniMax does not take it for test"]);
  });

  it("holds images as they came; where there can be none, says so", async () => {
    const image = {
      type: "image_url",
      image_url: { url: "data:image/png;base64,AA==", detail: "low" },
    } as const;
    const messages = [user([{ type: "text", text: "What is it?" }, image])];
    expect(await bodyOf("openai", { messages })).to.have.deep.nested.property(
      "messages[0].content[1]",
      image,
    );
    const { request, warnings } = await sent("deepseek", { messages });
    expect(request.body).to.have.nested.property(
      "messages[0].content",
      "What is it?\n[an image was left out]",
    );
    expect(warnings).to.deep.equal(["images were left out: DeepSeek does not take them"]);
  });

  it("gives earlier reasoning back only where it is wanted: of this turn, or of all", async () => {
    const messages = [
      user("One"),
      { role: "assistant", content: "1", reasoning: "old" },
      user("Two"),
      {
        role: "assistant",
        content: null,
        reasoning: "new",
        toolCalls: [{ id: "a", name: "t", arguments: "{}" }],
      },
      { role: "tool", toolCallId: "a", content: "2" },
      user(""),
    ] as const;
    const at = async (type: string) =>
      (await bodyOf(type, { messages }))["messages"] as readonly Record<string, unknown>[];
    expect((await at("zai")).map((message) => message["reasoning_content"])).to.deep.equal([
      undefined,
      undefined,
      undefined,
      "new",
      undefined,
    ]);
    expect((await at("deepseek")).map((message) => message["reasoning_content"])).to.deep.equal([
      undefined,
      "old",
      undefined,
      "new",
      undefined,
    ]);
    expect(JSON.stringify(await at("openai"))).to.not.include("new");
  });

  it("tells DeepSeek of unknown reasoning as empty, since it refuses a message without", async () => {
    const messages = [user("One"), { role: "assistant", content: "1" }, user("Two")] as const;
    expect(await bodyOf("deepseek", { messages })).to.have.nested.property(
      "messages[1].reasoning_content",
      "",
    );
  });

  it("hands on keys of a message that the vendor knows, and no others", async () => {
    const messages = [{ ...user("Hello"), extra: { cache_control: { type: "ephemeral" }, id: "m1" } }];
    expect(await bodyOf("openrouter", { messages })).to.have.deep.nested.property("messages[0]", {
      role: "user",
      content: "Hello",
      cache_control: { type: "ephemeral" },
    });
    expect(await bodyOf("openai", { messages })).to.have.deep.nested.property("messages[0]", {
      role: "user",
      content: "Hello",
    });
  });

  it("holds what the provider's settings add, and not what they leave out", async () => {
    const extra = { body: { top_k: 40, seed: 1 }, leave_out: ["stream_options", "temperature"] };
    const body = await bodyOf("custom", { sampling: { temperature: 1, topP: 0.5 } }, { extra });
    expect(body).to.deep.equal({
      model: "test",
      messages: [{ role: "user", content: "Hello" }],
      top_p: 0.5,
      stream: true,
      top_k: 40,
      seed: 1,
    });
  });

  it("in bypass is the caller's body but for the model, streaming and the usage", async () => {
    const raw = {
      model: "minimax/test",
      messages: [{ role: "developer", content: "" }],
      n: 1,
      stream: false,
      my_own: [1],
      stream_options: { x: 1 },
    };
    const { request, warnings } = await sent("minimax", { ...fullCall, raw });
    expect(request.text).to.equal(
      '{"model":"test","messages":[{"role":"developer","content":""}],"n":1,"stream":true,"my_own":[1],"stream_options":{"x":1,"include_usage":true}}',
    );
    expect(warnings).to.deep.equal([]);
    expect((await sent("zai", { raw: { messages: [] } })).request.text).to.equal(
      '{"messages":[],"model":"test","stream":true}',
    );
  });

  it("is nothing where a key is needed and there is none", async () => {
    for (const type of ["openai", "zai-coding"]) {
      const { error } = await ask(await open(type, { baseUrl: server.baseUrl, apiKey: "" }));
      expect(error).to.include({ code: "provider_auth_failed" });
    }
    expect(server.requests).to.be.empty;
  });

  it("is nothing where there is no address: the error names the setting", async () => {
    for (const baseUrl of ["", "nonsense"]) {
      const error = await open("custom", { baseUrl }).catch((reason: unknown) => reason);
      expect(error).to.include({ code: "invalid_value", param: "base_url" });
    }
  });
});
