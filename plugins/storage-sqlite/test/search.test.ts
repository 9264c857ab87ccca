import { expect } from "chai";
import { euclidean, floatsOf } from "@pergola/kit-storage";
import { collectPostings } from "../worker/postings.ts";
import { indexDocument, mergeWords } from "../worker/search-documents.ts";
import { querySearch } from "../worker/search-query.ts";
import { hitsAmongAll, hitsInScopes } from "../worker/word-hits.ts";
import { openConnection } from "./support/open-connection.ts";

const blob = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer as ArrayBuffer, vector.byteOffset, vector.byteLength);

describe("search in SQL", () => {
  let connection: ReturnType<typeof openConnection>;
  beforeEach(() => {
    connection = openConnection();
  });
  afterEach(() => connection.database.close());

  const declare = (fields: Readonly<Record<string, number>>) => {
    connection.database.transaction(() =>
      connection.searches.declare("memories", { fields, dimensions: 2 }),
    )();
    const table = connection.searches.get("memories");
    if (table === undefined) throw new Error("not declared");
    return {
      table,
      index: (id: string, body: string, vector?: Float32Array, scope = "s") =>
        indexDocument(connection.statements, table, { id, scope, fields: { body }, vector }),
      found: (text: string, vector?: Float32Array) =>
        querySearch(connection, table, { scopes: ["s"], text, vector, limit: 5 }).map(({ id }) => id),
    };
  };

  it("finds other forms of a word", () => {
    const { index, found } = declare({ body: 1 });
    index("a", "She was running past the libraries");
    expect([found("runs"), found("library"), found("librarian")]).to.deep.equal([["a"], ["a"], []]);
  });

  it("indexes the kept texts anew when the fields change", () => {
    declare({ body: 1 }).index("a", "kites");
    const { found, index } = declare({ title: 2, body: 1 });
    expect(found("kite")).to.deep.equal(["a"]);
    index("a", "boats");
    expect([found("kite"), found("boat")]).to.deep.equal([[], ["a"]]);
  });

  it("passes over vectors of another length, as an earlier embedder left them", () => {
    const { index, found } = declare({ body: 1 });
    index("old", "", new Float32Array([1, 0, 0]));
    index("new", "", new Float32Array([1, 0]));
    expect(found("", new Float32Array([1, 0]))).to.deep.equal(["new"]);
  });

  it("measures the same distance with and without the library for vectors", () => {
    const vectors = Array.from({ length: 20 }, (_, seed) =>
      Float32Array.from({ length: 384 }, (_, index) => Math.sin(seed + index * (seed + 1))),
    );
    const [first = new Float32Array(384)] = vectors;
    const measure = connection.database.prepare("SELECT vec_distance_L2(?, ?)").pluck();
    for (const vector of vectors)
      expect(euclidean(first, vector)).to.be.closeTo(measure.get(blob(first), blob(vector)) as number, 1e-4);
    const shifted = Buffer.concat([Buffer.from([0]), blob(first)]).subarray(1);
    expect(euclidean(floatsOf(shifted), first)).to.equal(0);
  });

  it("finds the same hits among all documents as in the scopes, or says that it cannot", () => {
    const { index, table } = declare({ body: 1 });
    const kinds = ["red kite", "red boat at sea", "a kite", "sea and sea", "nothing"];
    const scopes = ["s", "t", "u"];
    for (let number = 0; number < 300; number++)
      index(
        `d${number}`,
        `${kinds[number % 5] ?? ""} ${"filler ".repeat(number % 7)}`,
        undefined,
        scopes[number % 3],
      );
    const query = { scopes: ["s", "u"], words: ["kite", "sea"] };
    const ids = (hits: readonly { readonly id: string }[] | undefined) => hits?.map(({ id }) => id);
    const inScopes = ids(hitsInScopes(connection.statements, table, { ...query, count: 400 }, 200));
    const amongAll = ids(hitsAmongAll(connection.statements, table, { ...query, count: 200 }));
    expect(inScopes).to.have.lengthOf(160);
    expect(amongAll).to.have.members(inScopes!);
    for (const count of [1, 5, 40]) {
      expect(hitsInScopes(connection.statements, table, { ...query, count }, 200)).to.have.lengthOf(count);
      expect(hitsAmongAll(connection.statements, table, { ...query, count })).to.have.lengthOf(count);
    }
    index("only", "kite", undefined, "rare");
    const rare = { scopes: ["rare"], words: ["kite"], count: 5 };
    expect(hitsAmongAll(connection.statements, table, rare)).to.equal(undefined);
    expect(ids(hitsInScopes(connection.statements, table, rare, 1))).to.deep.equal(["only"]);
  });

  it("counts how often a word is there, how rare it is and how long the text", () => {
    const { index, found } = declare({ body: 1 });
    index("once", "tea and some other words here");
    index("long", `tea tea ${"and many more words ".repeat(40)}`);
    index("often", "tea tea and some other words");
    index("rare", "saffron and some other words here");
    expect(found("tea")).to.deep.equal(["often", "once", "long"]);
    expect(found("tea saffron")[0]).to.equal("rare");
  });

  it("P2m: counts nothing in a small scope, and finds the same", () => {
    const { index, table } = declare({ title: 2, body: 1 });
    for (let number = 0; number < 40; number++)
      index(`d${number}`, `kite ${number % 3 === 0 ? "boat" : "tree"} ${number}`);
    const words = ["kite", "boat", "absent", "7"];
    const weights = (size: number) => {
      const postings = collectPostings(connection.statements, table, words, { scopes: ["s"], size });
      return postings.map(({ word, complete, weights }) => ({
        word,
        complete,
        weights: [...weights].toSorted(),
      }));
    };
    expect(weights(40)).to.deep.equal(weights(12_001));
    expect(weights(40).map(({ weights }) => weights.length)).to.deep.equal([40, 14, 0, 1]);
  });

  it("P2m: merges what every commit leaves, so that a query looks into few places", () => {
    const { index, table, found } = declare({ body: 1 });
    const parts = connection.database.prepare(`SELECT count(DISTINCT segid) FROM ${table.words}_idx`).pluck();
    for (let number = 0; number < 60; number++)
      connection.database.transaction(() => {
        index(`d${number}`, `kite number ${number}`);
        mergeWords(connection.statements, table);
      })();
    expect(parts.get()).to.be.at.most(6);
    expect(found("kite")).to.deep.equal(["d59", "d58", "d57", "d56", "d55"]);
    expect(found("31")).to.deep.equal(["d31"]);
  });

  it("puts the newest of equal ones first", () => {
    const { index, found } = declare({ body: 1 });
    for (const id of ["a", "b", "c"]) index(id, "kite");
    expect(found("kite")).to.deep.equal(["c", "b", "a"]);
  });

  it("reads a bounded number of postings and texts, the rarest words first, whatever the index holds", function () {
    this.timeout(60_000);
    const { index, table, found } = declare({ body: 1 });
    connection.database.transaction(() => {
      for (let number = 0; number < 30_000; number++)
        index(
          `d${number}`,
          `everywhere ${number % 2 ? "often" : ""} ${number % 7 === 0 ? "seldom" : ""} ${number === 5 ? "kite" : ""}`,
        );
    })();
    const postings = (...words: readonly string[]) =>
      Object.fromEntries(
        collectPostings(connection.statements, table, words).map(({ word, weights }) => [word, weights.size]),
      );
    expect(postings("everywhere", "kite", "often", "seldom", "absent")).to.deep.equal({
      kite: 1,
      seldom: 4286,
      often: 0,
      everywhere: 0,
      absent: 0,
    });
    expect(postings("often", "everywhere")).to.deep.equal({ often: 12_000, everywhere: 0 });
    const inScope = collectPostings(connection.statements, table, ["everywhere", "often"], {
      scopes: ["s"],
      size: 30_000,
    });
    expect(inScope.reduce((sum, { weights }) => sum + weights.size, 0)).to.equal(12_000);
    expect(found("often everywhere kite")[0]).to.equal("d5");
    expect(found("everywhere")[0]).to.equal("d29998");
    const read = connection.read(() => void found("everywhere often seldom"));
    expect(read.filter((rows) => rows > 12_001)).to.deep.equal([]);
    expect(read.reduce((sum, rows) => sum + rows, 0)).to.be.below(20_000);
  });
});
