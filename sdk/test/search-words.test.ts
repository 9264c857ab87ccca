import { expect } from "chai";
import { searchWords } from "@pergola/sdk";

const texts: Readonly<Record<string, readonly string[]>> = {
  "Crème BRÛLÉE, 42 times!": ["creme", "brulee", "42", "times"],
  'a" OR b:* NEAR(c) -d ^e': ["a", "or", "b", "near", "c", "d", "e"],
  "grep_search in file-name.ts": ["grep", "search", "in", "file", "name", "ts"],
  "東京都の天気 ok": ["東京", "京都", "都の", "の天", "天気", "ok"],
  "データ、猫": ["デー", "ータ", "猫"],
  "한국어 검색": ["한국어", "검색"],
  "हिन्दी भाषा": ["हिन्दी", "भाषा"],
  "ﬁne ＦＵＬＬ": ["fine", "full"],
  "\u0000 \ud800 ?!": [],
};

describe("searchWords", () => {
  for (const [text, words] of Object.entries(texts)) {
    it(`finds ${words.length} words in ${JSON.stringify(text)}`, () =>
      expect(searchWords(text)).to.deep.equal(words));
  }
});
