import { expect } from "chai";
import { costOf } from "@pergola/sdk/host";

describe("the cost of a model call", () => {
  const prices = { prompt: 0.002, completion: 0.01, note: "" };

  it("is tokens times the price per 1,000", () => {
    expect(costOf({ prices }, { promptTokens: 1500, completionTokens: 200 })).to.be.closeTo(0.005, 1e-12);
  });

  it("counts kept parts of the prompt at their own price, where there is one", () => {
    const usage = { promptTokens: 1500, completionTokens: 200, cachedTokens: 1000 };
    expect(costOf({ prices: { ...prices, cached: 0.0002 } }, usage)).to.be.closeTo(0.0032, 1e-12);
    expect(costOf({ prices }, usage)).to.be.closeTo(0.005, 1e-12);
    expect(costOf({ prices: { ...prices, cached: 0 } }, { ...usage, cachedTokens: 9000 })).to.be.closeTo(
      0.002,
      1e-12,
    );
  });

  it("is 0 where nobody knows the prices", () => {
    expect(costOf({}, { promptTokens: 1500, completionTokens: 200 })).to.equal(0);
  });
});
