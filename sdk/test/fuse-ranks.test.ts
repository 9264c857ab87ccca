import { expect } from "chai";
import { fuseRanks } from "@pergola/sdk";

describe("fuseRanks", () => {
  it("adds 1 ÷ (60 + rank) for each list, best first, equal ones by id", () => {
    const hits = fuseRanks({
      words: ["b", "both"],
      vectors: ["a", "both"],
      similarities: new Map([
        ["a", 0.9],
        ["both", 0.5],
      ]),
      limit: 10,
    });
    expect(hits).to.deep.equal([
      { id: "both", score: 1 / 62 + 1 / 62, similarity: 0.5, textRank: 2 },
      { id: "a", score: 1 / 61, similarity: 0.9 },
      { id: "b", score: 1 / 61, textRank: 1 },
    ]);
  });

  it("gives the similarity of a word hit that is not among the nearest, and keeps to the limit", () => {
    const hits = fuseRanks({
      words: ["x", "y"],
      vectors: [],
      similarities: new Map([["x", -0.2]]),
      limit: 1,
    });
    expect(hits).to.deep.equal([{ id: "x", score: 1 / 61, similarity: -0.2, textRank: 1 }]);
  });
});
