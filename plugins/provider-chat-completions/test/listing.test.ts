import { expect } from "chai";
import type { ModelInfo } from "@pergola/sdk";
import { jsonReply, mockProviderServer, type MockProviderServer } from "@pergola/sdk/testing";
import { answering, open } from "./support.ts";

const never = (): AbortSignal => new AbortController().signal;

async function listed(
  type: string,
  body: unknown,
  models: readonly string[] = [],
): Promise<readonly ModelInfo[]> {
  const fetch = answering([typeof body === "string" ? body : JSON.stringify(body)]);
  return (await open(type, { baseUrl: "http://127.0.0.1:9/v1", models }, { fetch })).listModels(never());
}

describe("listing models", () => {
  it("asks GET {base}/models", async () => {
    const server = await mockProviderServer([], { models: ["a", { id: "b", max_model_len: 4096 }] });
    for (const [type, baseUrl] of [
      ["custom", server.baseUrl],
      ["remote-llama", server.url],
    ] as const) {
      expect(await (await open(type, { baseUrl })).listModels(never())).to.deep.equal([
        { id: "a" },
        { id: "b", contextWindow: 4096 },
      ]);
    }
    await server.close();
  });

  it("reads what OpenRouter tells of a model", async () => {
    const entry = {
      id: "vendor/model",
      created: 1_700_000_000,
      context_length: 200_000,
      architecture: { input_modalities: ["text", "image"] },
      top_provider: { context_length: 131_072, max_completion_tokens: 8192 },
      supported_parameters: ["tools", "temperature", "reasoning"],
    };
    expect(await listed("openrouter", { data: [entry] })).to.deep.equal([
      {
        id: "vendor/model",
        contextWindow: 131_072,
        maxOutputTokens: 8192,
        supportsTools: true,
        supportsVision: true,
        supportsThinking: true,
        created: 1_700_000_000,
      },
    ]);
  });

  it("reads the places that runtimes use", async () => {
    const models = await listed("custom", {
      data: [
        { id: "vllm", max_model_len: 32_768, owned_by: "vllm" },
        { id: "groq", context_window: 131_072, max_completion_tokens: 4096 },
        {
          id: "mistral",
          max_context_length: 65_536,
          capabilities: { function_calling: false, vision: true },
        },
        { id: "llama", meta: { n_ctx: 8192, n_ctx_train: 131_072 } },
        { id: "text-embedding-3-small" },
      ],
    });
    expect(models).to.deep.equal([
      { id: "vllm", contextWindow: 32_768, vendor: "vllm" },
      { id: "groq", contextWindow: 131_072, maxOutputTokens: 4096 },
      { id: "mistral", contextWindow: 65_536, supportsTools: false, supportsVision: true },
      { id: "llama", contextWindow: 8192 },
      { id: "text-embedding-3-small", kind: "embedding" },
    ]);
  });

  it("takes other shapes of a list, and passes over what is no model", async () => {
    expect(
      await listed("custom", ["a", "a", { name: "b" }, { model: "c" }, {}, null, 7, { id: "" }]),
    ).to.deep.equal([{ id: "a" }, { id: "b" }, { id: "c" }]);
    expect(await listed("custom", { models: [{ name: "d", context_length: "many" }] })).to.deep.equal([
      { id: "d" },
    ]);
  });

  it("leaves out what neither chats nor embeds at OpenAI", async () => {
    const ids = [
      "gpt-5.1",
      "whisper-1",
      "gpt-image-1",
      "tts-1",
      "gpt-4o-realtime-preview",
      "text-embedding-3-large",
    ];
    expect((await listed("openai", { data: ids.map((id) => ({ id })) })).map(({ id }) => id)).to.deep.equal([
      "gpt-5.1",
      "text-embedding-3-large",
    ]);
  });

  for (const type of ["minimax", "zai", "zai-coding"]) {
    it(`takes the table of ${type}, without asking`, async () => {
      const models = await listed(type, "not asked");
      expect(models.length).to.be.greaterThan(3);
      expect(
        models.every(
          ({ contextWindow = 0, maxOutputTokens = 0 }) =>
            contextWindow > maxOutputTokens && maxOutputTokens > 0,
        ),
      ).to.equal(true);
    });
  }

  it("fails when the listing does", async () => {
    for (const body of ["<html>", '{"data":7}', "null"]) {
      expect(await listed("custom", body).catch((error: unknown) => error), body).to.include({
        code: "provider_error",
      });
    }
  });

  it("gives the models of the settings, with what the listing knows of them, or bare when it fails", async () => {
    expect(
      await listed("custom", { data: [{ id: "a", max_model_len: 9 }, { id: "b" }] }, ["a", "z"]),
    ).to.deep.equal([{ id: "a", contextWindow: 9 }, { id: "z" }]);
    expect(await listed("custom", "<html>", ["a"])).to.deep.equal([{ id: "a" }]);
  });

  it("ends when it is aborted", async () => {
    const fetch = (_: string, { signal }: { readonly signal?: AbortSignal }): Promise<never> =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const provider = await open("custom", { baseUrl: "http://127.0.0.1:9/v1" }, { fetch });
    const error = await provider.listModels(AbortSignal.timeout(20)).catch((reason: unknown) => reason);
    expect(error).to.have.property("name", "TimeoutError");
  });
});

describe("embedding", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer();
  });
  afterEach(() => server.close());

  const replyTo = (body: unknown, usageOf: (input: readonly string[]) => object) => {
    const { input } = body as { readonly input: readonly string[] };
    const data = input.map((_, index) => ({ index, embedding: [1, index] }));
    return jsonReply({ data, usage: usageOf(input) });
  };
  const embed = async (texts: readonly string[]) =>
    (await open("custom", { baseUrl: server.baseUrl })).embed?.("vectors", texts, never());

  it("asks POST {base}/embeddings and gives vectors as they come, in the order of the texts", async () => {
    server.play(
      jsonReply({
        data: [
          { index: 1, embedding: [0, 2] },
          { index: 0, embedding: [3, 4] },
        ],
      }),
    );
    expect(await embed(["one", "two"])).to.deep.equal({
      vectors: [new Float32Array([3, 4]), new Float32Array([0, 2])],
      promptTokens: undefined,
    });
    expect(server.requests[0]).to.include({
      path: "/v1/embeddings",
      text: '{"model":"vectors","input":["one","two"],"encoding_format":"float"}',
    });
  });

  it("asks for many texts in several requests", async () => {
    server.play(({ body }) => replyTo(body, ({ length }) => ({ prompt_tokens: 2 * length })));
    const made = await embed(Array<string>(600).fill("x"));
    expect(made).to.have.property("vectors").with.length(600);
    expect(made).to.have.property("promptTokens", 1200);
    expect(server.requests).to.have.length(3);
  });

  for (const [what, usageOf] of [
    ["one answer has no count", ({ length }) => (length === 256 ? { prompt_tokens: 512 } : {})],
    ["its counts are 0", () => ({ prompt_tokens: 0, total_tokens: 0 })],
    ["its counts are no numbers", () => ({ prompt_tokens: "many" })],
  ] satisfies readonly (readonly [string, (input: readonly string[]) => object])[])
    it(`tells no number of tokens where ${what}`, async () => {
      server.play(({ body }) => replyTo(body, usageOf));
      expect(await embed(Array<string>(300).fill("x"))).to.have.property("promptTokens", undefined);
    });

  const unusable: readonly object[] = [
    { data: [{ embedding: [1] }] },
    { data: [{ embedding: [] }, { embedding: [1, 0] }] },
    { data: [{ embedding: ["x"] }, { embedding: [1] }] },
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [1] },
      ],
    },
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 9, embedding: [1] },
      ],
    },
    {},
  ];
  for (const answer of unusable) {
    it(`fails on ${JSON.stringify(answer)}`, async () => {
      server.play(jsonReply(answer));
      expect(await embed(["one", "two"]).catch((error: unknown) => error)).to.include({
        code: "provider_error",
      });
    });
  }

  it("fails as a chat does", async () => {
    server.play(jsonReply({ error: { message: "no" } }, { status: 429, headers: { "retry-after": "3" } }));
    expect(await embed(["one"]).catch((error: unknown) => error)).to.include({
      code: "provider_rate_limited",
      retryAfter: 3,
    });
  });
});
