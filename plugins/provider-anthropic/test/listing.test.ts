import { expect } from "chai";
import type { ModelInfo, ProviderFetch, ProviderSettings } from "@pergola/sdk";
import { answering, ask, current, key, open } from "./support.ts";

const never = new AbortController().signal;

const opus = {
  type: "model",
  id: "claude-opus-5",
  display_name: "Claude Opus 5",
  created_at: "2026-07-01T00:00:00Z",
  max_input_tokens: 1_000_000,
  max_tokens: 128_000,
  capabilities: {
    image_input: { supported: false },
    thinking: { supported: true, types: { enabled: { supported: true }, adaptive: { supported: false } } },
  },
};

const asked: string[] = [];
const listing =
  (...pages: readonly object[]): ProviderFetch =>
  async (url, init) => {
    const page = pages[asked.push(url) - 1] ?? {};
    return answering([JSON.stringify(page)])(url, init);
  };

async function list(
  fetch: ProviderFetch,
  given: Partial<ProviderSettings> = {},
): Promise<readonly ModelInfo[]> {
  asked.length = 0;
  return (await open(given, { fetch })).listModels(never);
}

describe("the models of the Messages format", () => {
  it("are listed page by page", async () => {
    const models = await list(
      listing(
        { data: [{ id: "a" }, { id: "b" }], has_more: true, last_id: "b" },
        { data: [{ id: "c" }], has_more: false, last_id: "c" },
      ),
    );
    expect(models.map(({ id }) => id)).to.deep.equal(["a", "b", "c"]);
    expect(asked).to.deep.equal([
      "https://api.anthropic.com/v1/models?limit=1000",
      "https://api.anthropic.com/v1/models?limit=1000&after_id=b",
    ]);
  });

  it("are not asked for twice when a page does not end", async () => {
    const page = { data: [{ id: "a" }], has_more: true, last_id: "a" };
    expect((await list(listing(page, page, page))).length).to.equal(1);
    expect(asked.length).to.equal(2);
  });

  it("have the facts that the vendor tells", async () => {
    expect(await list(listing({ data: [opus] }))).to.deep.equal([
      {
        id: "claude-opus-5",
        contextWindow: 1_000_000,
        maxOutputTokens: 128_000,
        supportsTools: true,
        supportsThinking: true,
        supportsVision: false,
        vendor: "Anthropic",
        created: 1_782_864_000,
      },
    ]);
  });

  it("have facts by their names where the vendor tells none, and none where the name is strange", async () => {
    const [sonnet, strange] = await list(listing({ data: [{ id: "claude-sonnet-4-5" }, { id: "kimi-k3" }] }));
    expect(sonnet).to.deep.equal({
      id: "claude-sonnet-4-5",
      contextWindow: 200_000,
      maxOutputTokens: 64_000,
      supportsTools: true,
      supportsThinking: true,
      supportsVision: true,
      vendor: "Anthropic",
    });
    expect(strange).to.deep.equal({ id: "kimi-k3", supportsTools: true });
  });

  it("are those that the settings name, also when the listing fails", async () => {
    const broken: ProviderFetch = async () => Promise.reject(new Error("down"));
    const [first] = await list(listing({ data: [opus, { id: "other" }] }), { models: ["claude-opus-5"] });
    expect(first?.maxOutputTokens).to.equal(128_000);
    expect(await list(broken, { models: ["mine"] })).to.deep.equal([{ id: "mine" }]);
    const error: unknown = await list(broken).catch((failure: unknown) => failure);
    expect(error).to.include({ code: "provider_error" });
  });

  it("are no listing where there is none", async () => {
    for (const page of [{ models: [] }, [], { data: "x" }]) {
      const error: unknown = await list(listing(page)).catch((failure: unknown) => failure);
      expect(error, JSON.stringify(page)).to.include({ code: "provider_error" });
    }
  });

  it("think as their listing says, whatever their name says", async () => {
    let body = "";
    const fetch: ProviderFetch = async (url, init) => {
      if (init.body !== undefined) body = String(init.body);
      return answering([JSON.stringify({ data: [opus] })])(url, init);
    };
    const provider = await open({}, { fetch });
    await ask(provider, { model: current, thinking: { mode: "enabled" } });
    expect(JSON.parse(body)).to.have.nested.property("thinking.type", "adaptive");
    await provider.listModels(never);
    await ask(provider, { model: current, thinking: { mode: "enabled" } });
    expect(JSON.parse(body)).to.have.nested.property("thinking.type", "enabled");
  });
});

describe("the requests of the Messages format", () => {
  const requested = async (given: Partial<ProviderSettings>) => {
    let seen: { readonly url: string; readonly headers: unknown } | undefined;
    const fetch: ProviderFetch = async (url, init) => {
      seen = { url, headers: init.headers };
      return answering(["{}"])(url, init);
    };
    await ask(await open(given, { fetch }));
    return seen;
  };

  it("carry the key and the version of the format, and the person's own headers first", async () => {
    expect((await requested({}))?.headers).to.deep.equal({
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "x-api-key": key,
    });
    const own = await requested({
      apiKey: "",
      headers: { Authorization: "Bearer t", "Anthropic-Version": "2030-01-01" },
    });
    expect(own?.headers).to.deep.equal({
      "content-type": "application/json",
      "anthropic-version": "2030-01-01",
      authorization: "Bearer t",
    });
  });

  it("go below the base URL, with or without /v1, and keep its query", async () => {
    const bases = {
      "https://api.anthropic.com": "https://api.anthropic.com/v1/messages",
      "https://gate.example/anthropic/v1/": "https://gate.example/anthropic/v1/messages",
      "https://gate.example/x?tenant=7": "https://gate.example/x/v1/messages?tenant=7",
    };
    for (const [baseUrl, url] of Object.entries(bases))
      expect((await requested({ baseUrl }))?.url).to.equal(url);
  });

  it("need an address that is one", async () => {
    const error: unknown = await open({ baseUrl: "api.anthropic.com" }).catch((failure: unknown) => failure);
    expect(error).to.include({ code: "invalid_value", param: "base_url" });
  });
});
