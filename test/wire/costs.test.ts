import { expect } from "chai";
import { chatReply, mockProviderServer, type MockProviderServer } from "@pergola/sdk/testing";
import { openFormats } from "../support/alone/formats.ts";
import { chat, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Answer {
  readonly service_metadata: {
    readonly usage_source: string;
    readonly cost_estimate: {
      readonly estimated_cost_usd: number;
      readonly known: boolean;
      readonly note: string;
    };
  };
}

/** Prices of the shipped tables, in USD per 1,000 tokens. */
const tables = "list prices as of ";

describe("what an answer costs", () => {
  let stage: Stage;
  let vendor: MockProviderServer;
  let formats: Awaited<ReturnType<typeof openFormats>>;

  before(async () => {
    const usage = { promptTokens: 10_000, completionTokens: 1000, cachedTokens: 6000 };
    vendor = await mockProviderServer(chatReply([{ text: "Hello." }, { usage }]));
    formats = await openFormats();
    const list = [
      { type: "openai", base_url: vendor.baseUrl, models: ["gpt-4o", "gpt-unheard-of"] },
      { type: "custom", base_url: vendor.baseUrl, models: ["mine"] },
      { type: "anthropic", base_url: `${formats.url}/anthropic`, models: ["claude-sonnet-5"] },
      { type: "gemini", base_url: `${formats.url}/gemini`, models: ["gemini-2.5-flash"] },
    ].map((one) => ({ ...one, api_key: { env: "KEY" } }));
    stage = await openStage(undefined, {
      environment: { KEY: "a key" },
      settings: { "providers.list": list, "models.prices": { "custom/mine": { prompt: 1, completion: 2 } } },
    });
  });
  after(async () => {
    await stage.end();
    await vendor.close();
    formats.close();
  });

  const costOf = async (model: string) => {
    const { body } = await chat(stage, { model, messages: [user("Hello")] });
    const { cost_estimate: cost, usage_source: source } = (body as unknown as Answer).service_metadata;
    return { ...cost, source };
  };

  verifies(
    "models:costs",
    "is its tokens at the list prices of the model, kept parts of the prompt at theirs",
    async () => {
      const { estimated_cost_usd: cost, known, note, source } = await costOf("openai/gpt-4o");
      expect(cost).to.be.closeTo(4 * 0.0025 + 6 * 0.00125 + 1 * 0.01, 1e-9);
      expect([known, source, note.startsWith(tables)]).to.deep.equal([true, "provider", true]);
    },
  );

  verifies("models:costs", "is known for the other formats too", async () => {
    for (const model of ["anthropic/claude-sonnet-5", "gemini/gemini-2.5-flash"]) {
      const { estimated_cost_usd: cost, known, note } = await costOf(model);
      expect([model, known, note.startsWith(tables), cost > 0]).to.deep.equal([model, true, true, true]);
    }
  });

  verifies(
    "models:costs",
    "is what models.prices says, nothing for a local model, and not known of others",
    async () => {
      expect(await costOf("custom/mine")).to.include({
        estimated_cost_usd: 12,
        known: true,
        note: "prices of models.prices",
      });
      expect(await costOf("openai/gpt-unheard-of")).to.include({
        estimated_cost_usd: 0,
        known: true,
        note: "local model",
      });
    },
  );
});
