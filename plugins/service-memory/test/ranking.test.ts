import { expect } from "chai";
import type { MemoryItem, SearchHit } from "@pergola/sdk";
import { mergeHits } from "../merge-hits.ts";
import { arrangeHits, type RatedHit } from "../arrange-hits.ts";
import { rateItem } from "../rate-item.ts";
import { rateText } from "../rate-text.ts";
import { coverage, questionTerms, termsBeside, termsOf } from "../terms.ts";

const word = (id: string, textScore = 1): SearchHit => ({ id, score: 1, textRank: 1, textScore });
const near = (id: string, similarity: number): SearchHit => ({ id, score: 1, similarity });

describe("the terms of a search", () => {
  it("leave out words that tell nothing, unless there are no others", () => {
    expect(questionTerms("What did the neighbours say about our dogs?")).to.deep.equal([
      "neighbour",
      "sai",
      "dog",
    ]);
    expect(questionTerms("Who are you?")).to.deep.equal(["who", "ar", "you"]);
  });

  it("make one of the forms of a word, and leave other scripts as they are", () => {
    expect(termsOf("Painting painted paints")).to.deep.equal(["paint", "paint", "paint"]);
    expect(termsOf("Bücher 東京都")).to.deep.equal(["bucher", "東京", "京都"]);
  });

  it("are covered by a text in part", () => {
    const question = questionTerms("red bicycles");
    expect(termsBeside(question, "Bicycles, blue; running")).to.deep.equal(["bicycl", "blue", "run"]);
    expect(coverage(question, termsBeside(question, "A bicycle, blue"))).to.equal(0.5);
    expect(coverage([], ["anything"])).to.equal(0);
  });
});

describe("merged hits", () => {
  it("put first what is found both ways", () => {
    const merged = mergeHits([word("a", 0.8), word("b", 0.7)], [near("c", 0.8), near("b", 0.7)]);
    expect(merged.map(({ id }) => id)).to.deep.equal(["b", "a", "c"]);
    expect(merged.map(({ cosine }) => cosine)).to.deep.equal([0.7, undefined, 0.8]);
  });

  it("follow what words count and how near vectors are, not their ranks", () => {
    const [first, second, third] = mergeHits([], [near("a", 0.9), near("b", 0.88), near("c", 0.5)]);
    expect(first!.score - second!.score).to.be.below(0.05);
    expect(second!.score - third!.score).to.be.above(0.2);
    expect(mergeHits([word("a", 0.9), word("b", 0.2)], []).map(({ score }) => score)).to.deep.equal([
      0.9, 0.2,
    ]);
    const byRank = mergeHits(
      [
        { id: "a", score: 1 },
        { id: "b", score: 1 },
      ],
      [],
    );
    expect(byRank.map(({ score }) => score)).to.deep.equal([1, 0.5]);
  });

  it("put what is near in meaning before what shares a name only, and what holds the words before what is near", () => {
    const found = (textScore: number) =>
      mergeHits([word("a", textScore)], [near("b", 0.6), near("a", 0.2)])[0]!.id;
    expect([found(0.2), found(0.6)]).to.deep.equal(["b", "a"]);
  });

  it("do without either", () => {
    expect(mergeHits([], [])).to.deep.equal([]);
    expect(mergeHits([word("a")], []).map(({ id, score }) => [id, score])).to.deep.equal([["a", 1]]);
    expect(mergeHits([], [near("a", -0.2)])[0]!.score).to.equal(0);
  });
});

describe("the rating of a text", () => {
  const rate = (question: string, text: string, words = 0): number => {
    const terms = questionTerms(question);
    return rateText({ text: question, terms }, { text, terms: termsBeside(terms, text), words });
  };
  const question = "When did Anna paint the garden fence?";

  it("is higher where it begins with what is asked about", () => {
    expect(rate(question, "Anna has a brush")).to.be.above(rate(question, "Tom has a brush"));
  });

  it("is lower the more of it asks", () => {
    const [asks, half, says] = [
      "Did the painter come in May?",
      "Oh! Did he come?",
      "So the painter came in May.",
    ];
    expect(rate(question, asks)).to.be.below(rate(question, half));
    expect(rate(question, half)).to.be.below(rate(question, says));
  });

  it("is higher the more it tells, if it holds words of the question", () => {
    const [short, long] = ["Yes", "Yes, with the green paint of her brother"];
    expect(rate(question, short, 0.5)).to.be.below(rate(question, long, 0.5));
    expect(rate(question, short)).to.equal(rate(question, long));
  });

  it("is higher where it tells a time that is asked for", () => {
    const [told, untold] = ["Tom did so last May", "Tom did so by hand!"];
    expect(rate(question, told)).to.be.above(rate(question, untold));
    expect(rate("How did Anna paint the fence?", told)).to.equal(
      rate("How did Anna paint the fence?", untold),
    );
  });
});

describe("the rating of an item", () => {
  const now = Date.parse("2026-06-01T00:00:00.000Z");
  const rate = (importance: number, updatedAt: string): number => rateItem({ importance, updatedAt }, now);

  it("rises with importance, and falls by half of what recency counts with every 30 days", () => {
    expect(rate(1, "2026-06-01T00:00:00.000Z") - rate(0, "2026-06-01T00:00:00.000Z")).to.be.closeTo(
      0.2,
      1e-9,
    );
    expect(rate(0.5, "2026-06-01T00:00:00.000Z")).to.be.closeTo(0.05, 1e-9);
    expect(rate(0.5, "2026-05-02T00:00:00.000Z")).to.be.closeTo(0.025, 1e-9);
    expect(rate(0.5, "2030-01-01T00:00:00.000Z")).to.be.closeTo(0.05, 1e-9);
  });
});

describe("the arrangement of hits", () => {
  const hit = (content: string, updatedAt: string, more: Partial<MemoryItem> = {}, score = 1): RatedHit => ({
    item: {
      id: `${content} ${updatedAt}`,
      content,
      updatedAt,
      kind: "memory",
      key: null,
      ...more,
    } as MemoryItem,
    similarity: 1,
    score,
  });
  const shown = (...hits: readonly RatedHit[]) =>
    arrangeHits(hits).map(({ item }) => `${item.content} ${item.updatedAt}`);

  it("shows the same content once, at the best place and with its newest date", () => {
    expect(
      shown(
        hit("The code is 4711", "2024"),
        hit("Something else", "2023"),
        hit("The  code is 4711 ", "2025"),
      ),
    ).to.deep.equal(["The  code is 4711  2025", "Something else 2023"]);
    const value = { kind: "kv" } as const;
    expect(
      shown(hit("blue", "2024", { ...value, key: "colour" }), hit("blue", "2025", { ...value, key: "mood" })),
    ).to.have.lengthOf(2);
  });

  it("shows what contradicts an older item before it, and both", () => {
    expect(
      shown(
        hit("Anna lives in Berlin", "2023"),
        hit("Tom has a dog", "2022"),
        hit("Anna lives in Munich", "2025"),
      ),
    ).to.deep.equal(["Anna lives in Munich 2025", "Anna lives in Berlin 2023", "Tom has a dog 2022"]);
  });

  it("leaves what answers better where it is, however much another one is like it", () => {
    const [right, newer] = [
      hit("entry 42 of the ledger", "2023", {}, 2),
      hit("entry 57 of the ledger", "2025", {}, 1.6),
    ];
    expect(shown(right, newer)[0]).to.equal("entry 42 of the ledger 2023");
  });

  it("leaves the order of what has little in common", () => {
    expect(
      shown(hit("Anna lives in Berlin", "2023"), hit("Anna paints her garden fence", "2025"))[0],
    ).to.equal("Anna lives in Berlin 2023");
    expect(shown(hit("a b c", "2023"), hit("the", "2024"), hit("of", "2025"))).to.have.lengthOf(3);
  });
});
