import { expect } from "chai";
import { crossValidated, fit, type Ranked } from "./cross-validate.ts";
import { retrievalOf, type Found } from "./retrieval.ts";

const found = (ids: string, right: string): Found => ({
  ids: ids.split(" "),
  right: new Set(right.split(" ")),
  characters: 400,
  milliseconds: 2,
});

describe("the figures of retrieval", () => {
  it("are shares of the questions, and the mean of 1 ÷ rank", () => {
    const figures = retrievalOf([
      found("a b", "b c"),
      found("a b c d e f", "f"),
      found("a", "x"),
      found("a", "a"),
    ]);
    expect(figures).to.deep.equal({
      questions: 4,
      recall10: 0.75,
      recall5: 0.5,
      mrr: (1 / 2 + 1 / 6 + 1) / 4,
      tokens: 100,
      milliseconds: 2,
    });
  });

  it("are cross-validated with weights that know nothing of the questions they rank", () => {
    const question = (tells: number): Ranked => ({
      candidates: [
        { features: [tells, 1], right: true },
        { features: [1 - tells, 1], right: false },
      ],
    });
    const [usual, odd] = [Array.from({ length: 5 }, () => question(1)), [question(0)]];
    expect(fit(usual, 2)[0]).to.be.above(1);
    expect(crossValidated([usual, usual, odd]).mrr).to.equal((10 + 0.5) / 11);
  });
});
