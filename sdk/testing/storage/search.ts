import { expect } from "chai";
import type { SearchDocument, SearchIndex, Storage } from "@pergola/sdk";
import { caught } from "./caught.ts";
import { idsOf } from "./notes.ts";

const dimensions = 4;

/** A vector of unit length in the direction of an axis, leaning towards the next one. */
const towards = (axis: number, lean = 0): Float32Array => {
  const vector = new Float32Array(dimensions);
  vector[axis] = Math.cos(lean);
  vector[(axis + 1) % dimensions] = Math.sin(lean);
  return vector;
};

const document = (id: string, scope: string, body: string, vector?: Float32Array): SearchDocument => ({
  id,
  scope,
  fields: { title: "", body },
  vector,
});

/** Hostile to query languages; none of them may fail, and each one may match only by its plain words. */
const hostile = [
  '"',
  '"a',
  "a* OR",
  "NEAR(",
  "body:secret",
  "-secret",
  "^secret",
  "a AND (",
  "' OR 1=1 --",
  "\u0000",
  "\ud800",
  "{a b}: c",
  "*",
  "%_",
];

/** Words, vectors, and both. */
export function describeSearch(opened: () => Storage): void {
  describe("search", () => {
    const search = (): SearchIndex =>
      opened().search("memories", { fields: { title: 3, body: 1 }, dimensions });
    const found = async (text: string, scopes = ["s"], limit = 10) =>
      idsOf(await search().query({ scopes, text, limit }));

    it("finds a word wherever it stands, and the document with more of the words first", async () => {
      await search().index([
        document("one", "s", "The red kite"),
        document("two", "s", "A red, RED kite: over Wales"),
        document("none", "s", "blue"),
      ]);
      expect(await found("Wales kite")).to.deep.equal(["two", "one"]);
      expect(await found("green")).to.deep.equal([]);
      expect(await found(" ?! ")).to.deep.equal([]);
    });

    it("gives a field its weight", async () => {
      const filler = Array.from({ length: 8 }, (_, index) =>
        document(`f${index}`, "s", `filler number ${index}`),
      );
      await search().index([...filler, document("body", "s", "sailing boats")]);
      await search().index([{ id: "title", scope: "s", fields: { title: "sailing", body: "boats" } }]);
      expect(await found("sailing")).to.deep.equal(["title", "body"]);
    });

    it("ignores case and accents, and finds words of scripts without spaces", async () => {
      await search().index([
        document("fr", "s", "Crème brûlée"),
        document("ja", "s", "東京の天気は晴れ"),
        document("ru", "s", "Погода в Москве"),
      ]);
      expect(await found("creme BRULEE")).to.deep.equal(["fr"]);
      expect(await found("天気")).to.deep.equal(["ja"]);
      expect(await found("МОСКВЕ")).to.deep.equal(["ru"]);
    });

    it("gives ranks from 1 and falling scores, and no similarity without vectors", async () => {
      await search().index([document("one", "s", "tea"), document("two", "s", "tea with milk and tea")]);
      const hits = await search().query({ scopes: ["s"], text: "tea milk", limit: 5 });
      expect(hits.map(({ textRank }) => textRank)).to.deep.equal([1, 2]);
      expect(hits.map(({ score }) => score)).to.deep.equal(
        hits.map(({ score }) => score).toSorted((a, b) => b - a),
      );
      expect(hits.some((hit) => hit.similarity !== undefined)).to.equal(false);
    });

    it("tells how much of the query the words of a hit are, if it tells what they count", async () => {
      const filler = Array.from({ length: 20 }, (_, index) =>
        document(`f${index}`, "s", `filler number ${index}`),
      );
      await search().index([
        ...filler,
        document("all", "s", "sailing boats"),
        document("half", "s", "sailing ships"),
      ]);
      const scores = async (text: string) =>
        (await search().query({ scopes: ["s"], text, limit: 2 })).map(({ id, textScore }) => ({
          id,
          textScore,
        }));
      const [all, half] = await scores("sailing boats");
      const [absent] = await scores("boats astronomy telescopes");
      expect([all?.id, half?.id, absent?.id]).to.deep.equal(["all", "half", "all"]);
      if (all?.textScore === undefined) return;
      expect(all.textScore).to.be.within(0.8, 1.3);
      expect(half?.textScore).to.be.within(0.1, 0.7);
      expect(absent?.textScore).to.be.within(0.1, 0.5);
    });

    it("looks into the scopes that were asked for, and no other", async () => {
      await search().index([
        document("a", "s", "apple", towards(0)),
        document("b", "t", "apple", towards(0)),
        document("c", "u", "apple", towards(0)),
      ]);
      expect(await found("apple", ["s"])).to.deep.equal(["a"]);
      expect([...(await found("apple", ["s", "u"]))].sort()).to.deep.equal(["a", "c"]);
      expect(await found("apple", [])).to.deep.equal([]);
      const near = await search().query({ scopes: ["t"], vector: towards(0), limit: 5 });
      expect(idsOf(near)).to.deep.equal(["b"]);
    });

    it("finds the nearest vectors first, with their cosines", async () => {
      const documents = [0.9, 0.1, 0.5].map((lean) => document(`lean ${lean}`, "s", "", towards(1, lean)));
      await search().index([
        ...documents,
        document("opposite", "s", "", towards(1, Math.PI)),
        document("without", "s", "plain"),
      ]);
      const hits = await search().query({ scopes: ["s"], vector: towards(1), limit: 3 });
      expect(idsOf(hits)).to.deep.equal(["lean 0.1", "lean 0.5", "lean 0.9"]);
      for (const [index, lean] of [0.1, 0.5, 0.9].entries())
        expect(hits[index]?.similarity).to.be.closeTo(Math.cos(lean), 1e-5);
    });

    it("merges words and vectors: what both find comes first, what either finds is there", async () => {
      await search().index([
        document("both", "s", "harbour", towards(0, 0.2)),
        document("words", "s", "harbour light"),
        document("near", "s", "ships", towards(0)),
      ]);
      const hits = await search().query({ scopes: ["s"], text: "harbour", vector: towards(0), limit: 10 });
      expect(hits[0]?.id).to.equal("both");
      expect([...idsOf(hits)].sort()).to.deep.equal(["both", "near", "words"]);
      expect(hits[0]?.similarity).to.be.closeTo(Math.cos(0.2), 1e-5);
      expect(hits.find(({ id }) => id === "words")?.similarity).to.equal(undefined);
      expect(hits.find(({ id }) => id === "near")?.textRank).to.equal(undefined);
    });

    it("replaces a document with the same id: words, vector and scope", async () => {
      await search().index([document("a", "s", "apple", towards(0))]);
      await search().index([document("a", "t", "pear")]);
      expect(await found("apple", ["s", "t"])).to.deep.equal([]);
      expect(await found("pear", ["t"])).to.deep.equal(["a"]);
      expect(await search().query({ scopes: ["s", "t"], vector: towards(0), limit: 5 })).to.deep.equal([]);
    });

    it("removes documents and whole scopes", async () => {
      await search().index([
        document("a", "s", "apple", towards(0)),
        document("b", "s", "apple"),
        document("c", "t", "apple", towards(0)),
      ]);
      await search().remove(["a", "nothing"]);
      expect(await found("apple", ["s", "t"])).to.have.members(["b", "c"]);
      await search().removeScope("t");
      expect(await found("apple", ["s", "t"])).to.deep.equal(["b"]);
      expect(await search().query({ scopes: ["s", "t"], vector: towards(0), limit: 5 })).to.deep.equal([]);
    });

    it("keeps to the limit, and searches of other names apart", async () => {
      await search().index(
        Array.from({ length: 30 }, (_, index) => document(`d${index}`, "s", `apple number ${index}`)),
      );
      expect((await found("apple number", ["s"], 7)).length).to.equal(7);
      expect(await found("apple", ["s"], 0)).to.deep.equal([]);
      const other = opened().search("others", { fields: { body: 1 }, dimensions: 0 });
      expect(await other.query({ scopes: ["s"], text: "apple", limit: 5 })).to.deep.equal([]);
    });

    it("takes operators of query languages for plain words", async () => {
      await search().index([document("x", "s", "nothing of the kind")]);
      const matched = await Promise.all(hostile.map(async (text) => ({ text, ids: await found(text) })));
      expect(matched.filter(({ ids }) => ids.length > 0)).to.deep.equal([]);
    });

    it("refuses a vector of another length, a field that was not declared, and an id that no database keeps", async () => {
      expect(await caught(search().index([document("a", "s", "", new Float32Array(3))]))).to.equal(
        "internal_error",
      );
      expect(await caught(search().query({ scopes: ["s"], vector: new Float32Array(3), limit: 1 }))).to.equal(
        "internal_error",
      );
      expect(await caught(search().index([{ id: "a", scope: "s", fields: { colour: "red" } }]))).to.equal(
        "internal_error",
      );
      expect(await caught(search().index([document("", "s", "")]))).to.equal("invalid_id");
    });
  });
}
