import { expect } from "chai";
import type { Storage } from "@pergola/sdk";
import type { IndexedText, TextIndex, TextQuery, TextTerm } from "@pergola/sdk/host";
import { caught } from "./caught.ts";
import { idsOf } from "./notes.ts";

const noon = Date.UTC(2026, 4, 1, 12);

const textOf = (id: string, words: string, more: Partial<IndexedText> = {}): IndexedText => ({
  id,
  scope: "s",
  time: noon,
  kind: "user",
  words,
  ...more,
});

type Find = (terms: readonly TextTerm[], more?: Partial<TextQuery>) => Promise<readonly string[]>;

const word = (...words: string[]): TextTerm => ({ words });
const prefix = (...words: string[]): TextTerm => ({ words, isPrefix: true });

/** Words, phrases and beginnings of words; nothing of it where a backend has no such index. */
export function describeTexts(opened: () => Storage): void {
  describe("text", () => {
    const rule = (title: string, hold: (texts: TextIndex, found: Find) => Promise<void>) =>
      it(title, async () => {
        const texts = opened().text?.("texts");
        if (texts === undefined) return;
        await hold(texts, async (terms, more = {}) => idsOf(await texts.find({ terms, limit: 10, ...more })));
      });

    rule("finds texts that hold all words", async (texts, found) => {
      await texts.index([
        textOf("one", "creme brulee twice", { time: noon - 1 }),
        textOf("two", "the creme of it"),
      ]);
      expect(await found([word("creme")])).to.deep.equal(["two", "one"]);
      expect(await found([word("creme"), word("brulee")])).to.deep.equal(["one"]);
      expect(await found([word("crem")])).to.deep.equal([]);
      expect(await found([word("twice"), word("it")])).to.deep.equal([]);
    });

    rule("finds phrases and beginnings of words", async (texts, found) => {
      await texts.index([textOf("one", "sea sick sailors"), textOf("two", "sick of the sea says a sailor")]);
      expect(await found([word("sea", "sick")])).to.deep.equal(["one"]);
      expect(await found([prefix("sailor")])).to.have.members(["one", "two"]);
      expect(await found([prefix("s")])).to.have.members(["one", "two"]);
      expect(await found([prefix("sick", "sail")])).to.deep.equal(["one"]);
      expect(await found([prefix("sea", "of")])).to.deep.equal([]);
    });

    rule("finds words of all scripts", async (texts, found) => {
      await texts.index([textOf("ja", "東 京 の 天 気 は погода 안녕 9")]);
      expect(await found([word("天", "気")])).to.deep.equal(["ja"]);
      for (const one of ["気", "погода", "안녕", "9"])
        expect(await found([word(one)]), one).to.deep.equal(["ja"]);
      expect(await found([word("気", "天")])).to.deep.equal([]);
    });

    rule("takes operators of query languages for plain words", async (texts, found) => {
      await texts.index([textOf("one", "salt and pepper not near")]);
      for (const operator of ["and", "or", "not", "near"])
        expect(await found([word("salt"), word(operator)]), operator).to.deep.equal(
          operator === "or" ? [] : ["one"],
        );
    });

    rule("gives the newest first, whenever they were indexed, up to the limit", async (texts, found) => {
      await texts.index([
        textOf("b", "tea", { time: noon }),
        textOf("c", "tea", { time: noon + 1 }),
        textOf("a", "tea", { time: 0 }),
      ]);
      await texts.index([textOf("later", "tea", { time: noon })]);
      expect(await found([word("tea")])).to.deep.equal(["c", "later", "b", "a"]);
      expect(await found([word("tea")], { limit: 2 })).to.deep.equal(["c", "later"]);
    });

    rule("keeps thousands of texts of one moment apart", async (texts, found) => {
      const many = Array.from({ length: 2100 }, (_, index) => textOf(`t${index}`, "tea"));
      await texts.index(many);
      const ids = await found([word("tea")], { limit: 5000 });
      expect(ids).to.deep.equal(many.map(({ id }) => id).toReversed());
    });

    rule("looks only at texts of a scope, a kind and a time", async (texts, found) => {
      await texts.index([
        textOf("a", "tea", { time: noon }),
        textOf("b", "tea", { time: noon + 1000, kind: "tool" }),
        textOf("c", "tea", { time: noon + 2000, scope: "other" }),
      ]);
      expect(await found([word("tea")], { scope: "s" })).to.deep.equal(["b", "a"]);
      expect(await found([word("tea")], { kind: "user" })).to.deep.equal(["c", "a"]);
      expect(await found([word("tea")], { scope: "other", kind: "tool" })).to.deep.equal([]);
      expect(await found([word("tea")], { from: noon + 1000, to: noon + 2000 })).to.deep.equal(["b"]);
      expect(await found([word("tea")], { from: noon + 1, to: noon + 1 })).to.deep.equal([]);
    });

    rule("replaces a text with the same id, and removes whole scopes", async (texts, found) => {
      await texts.index([textOf("a", "apple"), textOf("b", "apple", { scope: "t" })]);
      await texts.index([textOf("a", "pear", { scope: "t", time: noon + 5 })]);
      expect(await found([word("apple")])).to.deep.equal(["b"]);
      expect(await texts.find({ terms: [word("pear")], limit: 5 })).to.deep.equal([{ id: "a", scope: "t" }]);
      await texts.removeScope("nothing");
      await texts.removeScope("t");
      expect(await found([word("apple")])).to.deep.equal([]);
      expect(await found([word("pear")])).to.deep.equal([]);
    });

    rule("keeps indexes of other names apart, and refuses an id that no database keeps", async (texts) => {
      await texts.index([textOf("a", "apple")]);
      const other = opened().text?.("others.\"'");
      expect(await other?.find({ terms: [word("apple")], limit: 5 })).to.deep.equal([]);
      expect(await caught(texts.index([textOf("", "apple")]))).to.equal("invalid_id");
    });
  });
}
