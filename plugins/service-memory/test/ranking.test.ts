import { expect } from "chai";
import type { SearchHit } from "@pergola/sdk";
import { mergeHits } from "../merge-hits.ts";
import { coverage, questionTerms, termsOf } from "../terms.ts";

const word = (id: string): SearchHit => ({ id, score: 1, textRank: 1 });
const near = (id: string, similarity: number): SearchHit => ({ id, score: 1, similarity });

describe("the terms of a search", () => {
  it("leave out words that tell nothing, unless there are no others", () => {
    expect(questionTerms("What did the neighbours say about our dogs?")).to.deep.equal(["neighbour", "sai", "dog"]);
    expect(questionTerms("Who are you?")).to.deep.equal(["who", "ar", "you"]);
  });

  it("make one of the forms of a word, and leave other scripts as they are", () => {
    expect(termsOf("Painting painted paints")).to.deep.equal(["paint", "paint", "paint"]);
    expect(termsOf("Bücher 東京都")).to.deep.equal(["bucher", "東京", "京都"]);
  });

  it("are covered by a text in part", () => {
    expect(coverage(questionTerms("red bicycles"), "A bicycle, blue")).to.equal(0.5);
    expect(coverage([], "anything")).to.equal(0);
  });
});

describe("merged hits", () => {
  it("put first what is found both ways", () => {
    const merged = mergeHits([word("a"), word("b")], [near("c", 0.8), near("b", 0.7)]);
    expect(merged.map(({ id }) => id)).to.deep.equal(["b", "a", "c"]);
    expect(merged.map(({ cosine }) => cosine)).to.deep.equal([0.7, undefined, 0.8]);
  });

  it("follow nearness, not its rank alone", () => {
    const [first, second, third] = mergeHits([], [near("a", 0.9), near("b", 0.88), near("c", 0.1)]);
    expect(first!.score - second!.score).to.be.below(0.05);
    expect(second!.score - third!.score).to.be.above(0.5);
  });

  it("do without either", () => {
    expect(mergeHits([], [])).to.deep.equal([]);
    expect(mergeHits([word("a")], []).map(({ id, score }) => [id, score])).to.deep.equal([["a", 1]]);
    expect(mergeHits([], [near("a", -0.2)])[0]!.score).to.equal(0);
  });
});
