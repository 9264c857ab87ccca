import { expect } from "chai";
import fc from "fast-check";
import { parseQuery } from "../parse-query.ts";

const word = (...words: string[]) => ({ words });
const prefix = (...words: string[]) => ({ words, isPrefix: true });

describe("what is looked for", () => {
  it("is words, phrases and beginnings of words", () => {
    expect(parseQuery('Graz "4th of May" hot*')).to.deep.equal([
      word("graz"),
      word("4th", "of", "may"),
      prefix("hot"),
    ]);
  });

  it("is each thing once", () => {
    expect(parseQuery('tea TEA "tea" tea* téa')).to.deep.equal([word("tea"), prefix("tea")]);
  });

  it("is what stands between signs, side by side where no space parts it", () => {
    expect(parseQuery("file_name.txt C++ e-mai* a*b")).to.deep.equal([
      word("file", "name", "txt"),
      word("c"),
      prefix("e", "mai"),
      word("a", "b"),
    ]);
  });

  it("is nothing where there are only signs", () => {
    for (const q of ["", " ", "*", '"', '""', '"" * - ( ) ^ :', "\u0000", "\ud800"])
      expect(parseQuery(q), q).to.deep.equal([]);
  });

  it("is a phrase up to the end where the quotation mark has no other half, and in typographic ones", () => {
    expect(parseQuery('one"two three')).to.deep.equal([word("one"), word("two", "three")]);
    expect(parseQuery("„zwei Worte“ «deux mots»")).to.deep.equal([
      word("zwei", "worte"),
      word("deux", "mots"),
    ]);
  });

  it("is each character of scripts without spaces, side by side", () => {
    expect(parseQuery("天気 tokyo東京*")).to.deep.equal([word("天", "気"), prefix("tokyo", "東", "京")]);
  });

  it("has bounds", () => {
    const many = Array.from({ length: 200 }, (_, index) => `w${index}`).join(" ");
    expect(parseQuery(many).length).to.equal(64);
    expect(parseQuery(`"${many}"`)[0]?.words.length).to.equal(64);
    expect(parseQuery("x".repeat(10_000))).to.deep.equal([word("x".repeat(10_000))]);
  });

  it("is letters and digits, whatever was typed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (q) => {
        for (const { words } of parseQuery(q)) {
          expect(words.length).to.be.greaterThan(0);
          for (const one of words) expect(one).to.match(/^[\p{L}\p{N}\p{M}]+$/u);
        }
      }),
    );
  });
});
