import { expect } from "chai";
import { metadataOf, type ModelDetails, type RunOutcome } from "@pergola/sdk";

const by = {
  modelId: "github_copilot/gpt-5",
  providerType: "github-copilot",
  isLocal: false,
} as ModelDetails;
const run = { usage: { promptTokens: 1000, completionTokens: 2000 }, cost: 2.5 } as RunOutcome["run"];
const estimate = (more: Partial<ModelDetails>) =>
  metadataOf({ run, answeredBy: { ...by, ...more }, warnings: [] } as never).cost_estimate;

describe("the metadata of an answer", () => {
  it("says what it costs where prices are known", () => {
    const prices = { prompt: 0.5, completion: 1, note: "prices of models.prices" };
    expect(estimate({ prices, priceNote: "part of a subscription" })).to.deep.equal({
      estimated_cost_usd: 2.5,
      prompt_cost_per_1k: 0.5,
      completion_cost_per_1k: 1,
      currency: "USD",
      note: "prices of models.prices",
      known: true,
    });
  });

  it("says why they are not known where there is a reason", () => {
    expect(estimate({})).to.include({ known: false, note: "no price is known for this model" });
    expect(estimate({ priceNote: "part of a subscription" })).to.include({
      known: false,
      note: "part of a subscription",
    });
  });
});
