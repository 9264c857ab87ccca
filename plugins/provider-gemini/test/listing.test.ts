import { expect } from "chai";
import type { ProviderFetch } from "@pergola/sdk";
import { jsonReply, mockProviderServer } from "@pergola/sdk/testing";
import { answering, errorBody, key, open } from "./support.ts";

const never = (): AbortSignal => new AbortController().signal;

const entry = (name: string, methods: readonly string[], more: object = {}): object => ({
  name,
  supportedGenerationMethods: methods,
  ...more,
});

describe("listing Gemini's models", () => {
  const pages: Readonly<Record<string, object>> = {
    "": {
      models: [
        entry("models/gemini-2.5-pro", ["generateContent", "countTokens"], {
          inputTokenLimit: 1_048_576,
          outputTokenLimit: 65_536,
          thinking: true,
        }),
        entry("models/gemini-2.5-flash-image", ["generateContent"]),
        entry("models/gemini-2.5-pro-preview-tts", ["generateContent"]),
        entry("models/gemini-2.5-flash-native-audio-latest", ["bidiGenerateContent"]),
        entry("models/imagen-4.0-generate-001", ["predict"]),
      ],
      nextPageToken: "page 2",
    },
    "page 2": {
      models: [
        entry("models/gemma-3-27b-it", ["generateContent"], {
          inputTokenLimit: 131_072,
          outputTokenLimit: 8192,
        }),
        entry("models/gemma-4-26b-it", ["generateContent"]),
        entry("models/gemini-embedding-001", ["embedContent", "batchEmbedContents"], {
          inputTokenLimit: 2048,
        }),
        entry("models/aqa", ["generateAnswer"]),
        null,
        { name: 7 },
      ],
    },
  };

  it("asks for every page, with the key in a header, and leaves out what neither chats nor embeds", async () => {
    const asked: string[] = [];
    const fetch: ProviderFetch = (url, init) => {
      const { searchParams, pathname } = new URL(url);
      asked.push(`${pathname} ${searchParams.get("pageSize") ?? ""} ${searchParams.get("pageToken") ?? ""}`);
      expect(init.headers).to.include({ "x-goog-api-key": key });
      expect(url).to.not.include(key);
      return answering([JSON.stringify(pages[searchParams.get("pageToken") ?? ""])])(url, init);
    };
    const models = await (await open({}, { fetch })).listModels(never());
    expect(asked).to.deep.equal(["/v1beta/models 1000 ", "/v1beta/models 1000 page 2"]);
    expect(models).to.deep.equal([
      {
        id: "gemini-2.5-pro",
        kind: "chat",
        vendor: "Google",
        contextWindow: 1_048_576,
        maxOutputTokens: 65_536,
        supportsTools: true,
        supportsThinking: true,
        supportsVision: true,
      },
      {
        id: "gemma-3-27b-it",
        kind: "chat",
        vendor: "Google",
        contextWindow: 131_072,
        maxOutputTokens: 8192,
        supportsTools: false,
        supportsThinking: false,
      },
      { id: "gemma-4-26b-it", kind: "chat", vendor: "Google" },
      { id: "gemini-embedding-001", kind: "embedding", vendor: "Google", contextWindow: 2048 },
    ]);
  });

  it("ends, even if the pages do not", async () => {
    let asked = 0;
    const fetch: ProviderFetch = (url, init) =>
      answering([JSON.stringify({ models: [], nextPageToken: `p${asked++}` })])(url, init);
    expect(await (await open({}, { fetch })).listModels(never())).to.deep.equal([]);
    expect(asked).to.equal(20);
  });

  for (const body of ["<html>", '{"models":7}', "null", "[]"]) {
    it(`fails on ${body}`, async () => {
      const error = await (
        await open({}, { fetch: answering([body]) })
      )
        .listModels(never())
        .catch((reason: unknown) => reason);
      expect(error).to.include({ code: "provider_error" });
    });
  }

  it("fails as a chat does", async () => {
    const fetch = answering([JSON.stringify(errorBody(429, "slow", "3s"))], 429);
    const error = await (await open({}, { fetch })).listModels(never()).catch((reason: unknown) => reason);
    expect(error).to.include({ code: "provider_rate_limited", retryAfter: 3 });
  });
});

describe("embedding with Gemini", () => {
  it("asks :batchEmbedContents for a hundred texts at a time, and gives the vectors in their order", async () => {
    const server = await mockProviderServer(({ body }) =>
      jsonReply({
        embeddings: (body as { requests: object[] }).requests.map((_, at) => ({
          values: [3 * (at + 1), 4 * (at + 1)],
        })),
      }),
    );
    const provider = await open({ baseUrl: `${server.url}/v1beta` });
    const vectors = await provider.embed?.(
      "gemini-embedding-001",
      Array.from({ length: 250 }, (_, at) => `text ${at}`),
      never(),
    );
    expect(vectors).to.deep.equal(
      Array.from({ length: 250 }, (_, at) => new Float32Array([3 * ((at % 100) + 1), 4 * ((at % 100) + 1)])),
    );
    expect(server.requests.map(({ path }) => path)).to.deep.equal(
      Array(3).fill("/v1beta/models/gemini-embedding-001:batchEmbedContents"),
    );
    const first = server.requests[0]?.body as { requests: object[] };
    expect(first.requests[1]).to.deep.equal({
      model: "models/gemini-embedding-001",
      content: { parts: [{ text: "text 1" }] },
    });
    await server.close();
  });

  for (const answer of [
    {},
    { embeddings: [{ values: [1] }] },
    { embeddings: [{ values: [] }, { values: [1, 0] }] },
    { embeddings: [{ values: ["x"] }, {}] },
  ]) {
    it(`fails on ${JSON.stringify(answer)}`, async () => {
      const provider = await open({}, { fetch: answering([JSON.stringify(answer)]) });
      expect(
        await provider.embed?.("e", ["one", "two"], never()).catch((error: unknown) => error),
      ).to.include({ code: "provider_error" });
    });
  }
});
