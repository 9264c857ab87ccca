import { expect } from "chai";
import { factsOf, guess } from "../model-facts.ts";
import { knownModel, tableDate } from "../model-data.ts";
import { pricesOf } from "../prices.ts";

const nothing = {
  listing: {},
  user: {},
  table: {},
  guess: (window: number | undefined) => guess("custom", false, window),
};

describe("what is known of a model", () => {
  it("comes from its listing, else from the user, else from the tables, each fact by itself", () => {
    const listing = { contextWindow: 1000 };
    const user = { contextWindow: 2000, supportsTools: false };
    const table = { contextWindow: 3000, supportsTools: true, maxOutputTokens: 300, supportsVision: true };
    const rest = { supportsTools: false, maxOutputTokens: 300, supportsVision: true };
    expect(factsOf({ ...nothing, listing, user, table })).to.deep.equal({
      contextWindow: 1000,
      source: "provider",
      ...rest,
    });
    expect(factsOf({ ...nothing, user, table })).to.deep.equal({
      contextWindow: 2000,
      source: "user",
      ...rest,
    });
    expect(factsOf({ ...nothing, table })).to.deep.equal({ ...table, source: "table" });
  });

  for (const [kind, isLocal, window, guessed] of [
    ["custom", false, undefined, { contextWindow: 8192, maxOutputTokens: 2048, supportsTools: true }],
    ["custom", true, undefined, { contextWindow: 32_768, maxOutputTokens: 4096, supportsTools: true }],
    ["ollama", true, undefined, { contextWindow: 32_768, maxOutputTokens: 4096, supportsTools: false }],
    ["deepseek", false, undefined, { contextWindow: 65_536, maxOutputTokens: 4096, supportsTools: true }],
    ["custom", false, 1000, { contextWindow: 1000, maxOutputTokens: 250, supportsTools: true }],
  ] as const)
    it(`is guessed for ${isLocal ? "a local" : "a hosted"} model of ${kind}${window === undefined ? "" : ` with ${window} tokens`}`, () => {
      expect(guess(kind, isLocal, window)).to.deep.equal({ ...guessed, supportsVision: false });
      expect(factsOf(nothing).source).to.equal("guess");
    });
});

describe("the shipped tables", () => {
  it("know a model by its id in any case, its dated names, and beginnings, the longest first", () => {
    const plain = knownModel("openai", "gpt-4o");
    expect(plain).to.deep.include({
      contextWindow: 128_000,
      maxOutputTokens: 16_384,
      prompt: 0.0025,
      completion: 0.01,
      cached: 0.00125,
    });
    expect(knownModel("openai", "GPT-4o-2024-08-06")).to.equal(plain);
    expect(knownModel("anthropic", "claude-sonnet-5-20270101")).to.equal(
      knownModel("anthropic", "claude-sonnet-5"),
    );
    expect(knownModel("openai", "ft:gpt-4o-mini-2024-07-18:acme")?.ids).to.include("ft:gpt-4o-mini");
  });

  it("know nothing of other models and other kinds", () => {
    expect(knownModel("openai", "gpt-4o-mine")).to.equal(undefined);
    expect(knownModel("custom", "gpt-4o")).to.equal(undefined);
    expect(knownModel("openai", "constructor")).to.equal(undefined);
  });

  it("say of which day they are", () => {
    expect(tableDate).to.match(/^20\d\d-\d\d-\d\d$/);
  });
});

describe("a price", () => {
  const row = { ids: ["m"], prompt: 0.001, completion: 0.002, cached: 0.0001 };

  it("is what the user says", () => {
    const own = { prompt: 1, completion: 2 };
    expect(pricesOf(own, { priceNote: undefined, isLocal: true, row })).to.deep.equal({
      prices: { ...own, note: "prices of models.prices" },
    });
  });

  it("is nothing for local models, but the list price for a hosted kind whose address is on this machine", () => {
    const local = { priceNote: undefined, isLocal: true };
    expect(pricesOf(undefined, { ...local, row: undefined }).prices).to.include({ prompt: 0, completion: 0 });
    expect(pricesOf(undefined, { ...local, row }).prices).to.include({ prompt: 0.001 });
  });

  it("is not known of a subscription, which the note says", () => {
    const known = pricesOf(undefined, {
      priceNote: "part of a subscription",
      isLocal: false,
      row: undefined,
    });
    expect(known).to.deep.equal({ priceNote: "part of a subscription" });
  });

  it("is the shipped one with its day, or unknown", () => {
    expect(pricesOf(undefined, { priceNote: undefined, isLocal: false, row })).to.deep.equal({
      prices: { prompt: 0.001, completion: 0.002, cached: 0.0001, note: `list prices as of ${tableDate}` },
    });
    expect(pricesOf(undefined, { priceNote: undefined, isLocal: false, row: undefined })).to.deep.equal({});
  });
});
