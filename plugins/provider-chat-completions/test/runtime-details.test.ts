import { expect } from "chai";
import type { ModelInfo, ProviderFetch } from "@pergola/sdk";
import { answering, open } from "./support.ts";

type Answers = Readonly<Record<string, unknown>>;

/** A runtime that answers these paths, POST bodies behind a space; other paths are 404. */
async function listed(
  type: string,
  answers: Answers,
  baseUrl = "http://127.0.0.1:9/v1",
): Promise<{ models: readonly ModelInfo[]; asked: string[] }> {
  const asked: string[] = [];
  const fetch: ProviderFetch = (url, init) => {
    const path = `${new URL(url).pathname}${init.body === undefined ? "" : ` ${String(init.body)}`}`;
    asked.push(path);
    const answer = answers[path];
    return answering(
      [answer === undefined ? "404 page not found" : JSON.stringify(answer)],
      answer === undefined ? 404 : 200,
    )(url, init);
  };
  const models = await (await open(type, { baseUrl }, { fetch })).listModels(new AbortController().signal);
  return { models, asked };
}

const ollama: Answers = {
  "/v1/models": { data: [{ id: "llama3.2:latest" }, { id: "qwen3:8b" }, { id: "nomic" }, { id: "odd" }] },
  "/api/ps": { models: [{ name: "llama3.2:latest", model: "llama3.2:latest", context_length: 4096 }] },
  '/api/show {"model":"llama3.2:latest"}': {
    parameters: 'stop  "<|eot|>"\nnum_ctx                        32768',
    model_info: { "llama.context_length": 131_072 },
    capabilities: ["completion", "tools"],
  },
  '/api/show {"model":"qwen3:8b"}': {
    parameters: "num_ctx                        8192\ntemperature 0.6",
    capabilities: ["completion", "tools", "vision", "thinking"],
  },
  '/api/show {"model":"nomic"}': {
    model_info: { "nomic-bert.context_length": 2048 },
    capabilities: ["embedding"],
  },
};

const able = (supportsTools: boolean, supportsVision: boolean, supportsThinking: boolean) => ({
  supportsTools,
  supportsVision,
  supportsThinking,
});

describe("what runtimes tell of their models", () => {
  it("Ollama: the size it gives a loaded model, else the one that the model's file sets, and what the model can do", async () => {
    const { models, asked } = await listed("ollama", ollama);
    expect(models).to.deep.equal([
      { id: "llama3.2:latest", contextWindow: 4096, ...able(true, false, false) },
      { id: "qwen3:8b", contextWindow: 8192, ...able(true, true, true) },
      { id: "nomic", ...able(false, false, false), kind: "embedding" },
      { id: "odd" },
    ]);
    expect(asked).to.have.length(6);
  });

  it("Ollama: nothing but its listing, where an older one or a proxy does not know the rest", async () => {
    const { models } = await listed("ollama", { "/v1/models": ollama["/v1/models"] });
    expect(models).to.deep.equal([
      { id: "llama3.2:latest" },
      { id: "qwen3:8b" },
      { id: "nomic" },
      { id: "odd" },
    ]);
  });

  it("Ollama: a hundred models are asked about, the rest only listed", async () => {
    const { models, asked } = await listed("ollama", {
      "/v1/models": { data: Array.from({ length: 120 }, (_, at) => ({ id: `m${at}` })) },
    });
    expect([models.length, asked.filter((path) => path.startsWith("/api/show")).length]).to.deep.equal([
      120, 100,
    ]);
  });

  it("Ollama: what it has in memory, and that it lets a model go", async () => {
    const asked: string[] = [];
    const ps = {
      models: [
        {
          name: "qwen3:8b",
          size_vram: 5_137_025_024,
          context_length: 4096,
          expires_at: "2026-11-29T03:14:00.5Z",
        },
        { name: "nomic", size_vram: 0 },
      ],
    };
    const fetch: ProviderFetch = (url, init) => {
      asked.push(`${new URL(url).pathname} ${String(init.body ?? "")}`.trimEnd());
      return answering([JSON.stringify(ps)])(url, init);
    };
    const provider = await open("ollama", { baseUrl: "http://127.0.0.1:9/v1" }, { fetch });
    expect(await provider.loaded?.()).to.deep.equal([
      {
        id: "qwen3:8b",
        contextSize: 4096,
        gpuBytes: 5_137_025_024,
        expiresAt: Date.UTC(2026, 10, 29, 3, 14, 0, 500),
      },
      { id: "nomic" },
    ]);
    await provider.unload?.("qwen3:8b");
    expect(asked).to.deep.equal([
      "/api/ps",
      '/api/generate {"model":"qwen3:8b","keep_alive":0,"stream":false}',
    ]);
  });

  it("LM Studio: sizes and abilities of its own listing", async () => {
    const { models, asked } = await listed("lmstudio", {
      "/v1/models": { data: [{ id: "qwen" }, { id: "gemma" }, { id: "nomic" }, { id: "new" }] },
      "/api/v0/models": {
        data: [
          {
            id: "qwen",
            type: "llm",
            max_context_length: 131_072,
            loaded_context_length: 8192,
            capabilities: ["tool_use"],
          },
          { id: "gemma", type: "vlm", max_context_length: 32_768, capabilities: [] },
          { id: "nomic", type: "embeddings", max_context_length: 2048 },
        ],
      },
    });
    expect(models).to.deep.equal([
      { id: "qwen", contextWindow: 8192, supportsTools: true },
      { id: "gemma", contextWindow: 32_768, supportsTools: false, supportsVision: true },
      { id: "nomic", kind: "embedding", contextWindow: 2048 },
      { id: "new" },
    ]);
    expect(asked).to.deep.equal(["/v1/models", "/api/v0/models"]);
  });

  it("LM Studio: nothing but the common listing where there is no other", async () => {
    for (const answer of [undefined, 7, { data: "none" }])
      expect(
        (await listed("lmstudio", { "/v1/models": { data: [{ id: "a" }] }, "/api/v0/models": answer }))
          .models,
      ).to.deep.equal([{ id: "a" }]);
  });

  it("stands below the runtime's own root, also behind a proxy's path", async () => {
    const { asked } = await listed(
      "ollama",
      { "/box/v1/models": { data: [] } },
      "http://127.0.0.1:9/box/v1/",
    );
    expect(asked).to.deep.equal(["/box/v1/models", "/box/api/ps"]);
  });
});
