import { expect } from "chai";
import fc from "fast-check";
import { parseQuery } from "../parse-query.ts";
import { snippetOf } from "../snippet.ts";

/** The snippet, and the texts of its marks. */
const snippet = (text: string, q: string) => {
  const { snippet: shown, marks } = snippetOf(text, parseQuery(q));
  return { shown, marked: marks.map(([start, length]) => shown.slice(start, start + length)) };
};

const filler = (words: number): string => Array.from({ length: words }, (_, at) => `filler${at}`).join(" ");

describe("a snippet", () => {
  it("is the whole text where that is short, on one line", () => {
    expect(snippet("  Hot tea,\n\n and\tmore tea. ", "TEA")).to.deep.equal({
      shown: "Hot tea, and more tea.",
      marked: ["tea", "tea"],
    });
  });

  it("shows the place where most of what was looked for stands, cut between words", () => {
    const text = `tea first. ${filler(60)} hot green tea here ${filler(60)}`;
    const { shown, marked } = snippet(text, "hot gre* tea");
    expect(marked).to.deep.equal(["hot", "green", "tea"]);
    expect(shown).to.match(/^…filler\d+ .* hot green tea here .* filler\d+…$/);
    expect(shown.length).to.be.within(150, 202);
  });

  it("marks phrases as one, and what overlaps once", () => {
    expect(snippet("a sea-sick sailor", '"sea sick" sick').marked).to.deep.equal(["sea-sick"]);
  });

  it("counts marks in UTF-16 code units, with accents and beside emoji", () => {
    expect(snippet("😀😀 Crème brûlée 東京の天気", "creme 天気")).to.deep.equal({
      shown: "😀😀 Crème brûlée 東京の天気",
      marked: ["Crème", "天気"],
    });
  });

  it("is the beginning of the text where nothing of it is there", () => {
    const { shown, marked } = snippet(filler(100), "nothing");
    expect([shown.startsWith("filler0 filler1"), shown.endsWith("…"), marked]).to.deep.equal([
      true,
      true,
      [],
    ]);
  });

  it("parts no character, and keeps its length, whatever the text", () => {
    const texts = fc.string({ unit: "grapheme", maxLength: 900 });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { snippet: shown, marks } = snippetOf(`${before} needle ${after}`, parseQuery("needle"));
        expect(shown).to.not.match(/\p{Surrogate}/u);
        expect(shown.length).to.be.lessThanOrEqual(202);
        expect(marks.map(([start, size]) => shown.slice(start, start + size))).to.include("needle");
      }),
    );
  });

  it("takes milliseconds, not seconds, of a text full of what was looked for", () => {
    const begun = performance.now();
    snippetOf("tea ".repeat(25_000), parseQuery("tea t* te* tea*"));
    expect(performance.now() - begun).to.be.lessThan(1000);
  });
});
