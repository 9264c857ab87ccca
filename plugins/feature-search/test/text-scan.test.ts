import { expect } from "chai";
import type { TextTerm } from "@pergola/sdk/host";
import { TextScan } from "../text-scan.ts";
import { wordPlaces } from "../word-places.ts";

describe("the words of a text", () => {
  const words = (text: string) => wordPlaces(text).map(({ word }) => word);

  it("are letters and digits, in lower case, without accents", () => {
    expect(words("Crème BRÛLÉE, e-mail: a_b 42% İstanbul")).to.deep.equal([
      ...["creme", "brulee", "e", "mail", "a", "b", "42", "istanbul"],
    ]);
  });

  it("are single characters in scripts without spaces", () => {
    expect(words("東京の天気 tokyo東京 안녕 Погода")).to.deep.equal([
      ...["東", "京", "の", "天", "気", "tokyo", "東", "京", "안녕", "погода"],
    ]);
  });

  it("are the same for the same signs, however they are written", () => {
    expect(words("cafe\u0301 か\u3099 ﬁne ｆｕｌｌ")).to.deep.equal(words("café が fine full"));
  });

  it("stand where they stand in the text", () => {
    const text = "😀 Ça va, 東京?";
    expect(wordPlaces(text).map(({ start, end }) => text.slice(start, end))).to.deep.equal([
      ...["Ça", "va", "東", "京"],
    ]);
  });
});

describe("the index of a storage that has none", () => {
  const textOf = (id: string, words: string, more: object = {}) => ({
    ...{ id, words, scope: "s", time: 5, kind: "user" },
    ...more,
  });

  it("finds what a storage's own would find, the newest first", async () => {
    const texts = new TextScan();
    const found = async (term: TextTerm, more: object = {}) =>
      (await texts.find({ terms: [term], limit: 3, ...more })).map(({ id }) => id);
    await texts.index([
      textOf("a", "sea sick sailors"),
      textOf("b", "a sailor at sea", { time: 7, kind: "tool" }),
      textOf("c", "the sea", { scope: "t", time: 5 }),
    ]);
    expect(await found({ words: ["sea"] })).to.deep.equal(["b", "c", "a"]);
    expect(await found({ words: ["sea"] }, { limit: 1 })).to.deep.equal(["b"]);
    expect(await found({ words: ["sea", "sick"] })).to.deep.equal(["a"]);
    expect(await found({ words: ["sail"] })).to.deep.equal([]);
    expect(await found({ words: ["sail"], isPrefix: true })).to.deep.equal(["b", "a"]);
    expect(await found({ words: ["sick", "sail"], isPrefix: true })).to.deep.equal(["a"]);
    expect(await found({ words: ["sea"] }, { kind: "user", scope: "s" })).to.deep.equal(["a"]);
    expect(await found({ words: ["sea"] }, { from: 6, to: 8 })).to.deep.equal(["b"]);
    expect(await found({ words: ["sea"] }, { to: 5 })).to.deep.equal([]);
    await texts.index([textOf("a", "nothing")]);
    await texts.removeScope("t");
    expect(await found({ words: ["sea"] })).to.deep.equal(["b"]);
  });
});
