import { expect } from "chai";
import type { Connection } from "../worker/connection.ts";
import { distinctiveWords } from "../worker/distinctive-words.ts";
import { indexDocument } from "../worker/search-documents.ts";
import { querySearch } from "../worker/search-query.ts";
import { hitsAmongAll, hitsInScopes } from "../worker/word-hits.ts";
import { euclidean } from "../worker/vector-distance.ts";
import { openConnection } from "./support/open-connection.ts";

const blob = (vector: Float32Array): Buffer => Buffer.from(vector.buffer as ArrayBuffer, vector.byteOffset, vector.byteLength);

describe("search in SQL", () => {
  let connection: Connection;
  beforeEach(() => {
    connection = openConnection();
  });
  afterEach(() => connection.database.close());

  const declare = (fields: Readonly<Record<string, number>>) => {
    connection.database.transaction(() => connection.searches.declare("memories", { fields, dimensions: 2 }))();
    const table = connection.searches.get("memories");
    if (table === undefined) throw new Error("not declared");
    return {
      table,
      index: (id: string, body: string, vector?: Float32Array, scope = "s") =>
        indexDocument(connection.statements, table, { id, scope, fields: { body }, vector }),
      found: (text: string, vector?: Float32Array) =>
        querySearch(connection.statements, table, { scopes: ["s"], text, vector, limit: 5 }).map(({ id }) => id),
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
      expect(euclidean(blob(first), blob(vector))).to.be.closeTo(measure.get(blob(first), blob(vector)) as number, 1e-4);
    const shifted = Buffer.concat([Buffer.from([0]), blob(first)]).subarray(1);
    expect(euclidean(shifted, blob(first))).to.equal(0);
  });

  it("finds the same hits in the same order among all documents as in the scopes, or says that it cannot", () => {
    const { index, table } = declare({ body: 1 });
    const kinds = ["red kite", "red boat at sea", "a kite", "sea and sea", "nothing"];
    const scopes = ["s", "t", "u"];
    for (let number = 0; number < 300; number++)
      index(`d${number}`, `${kinds[number % 5] ?? ""} ${"filler ".repeat(number % 7)}`, undefined, scopes[number % 3]);
    for (const wanted of [1, 5, 40, 200]) {
      const of = (hits: typeof hitsInScopes | typeof hitsAmongAll) =>
        hits(connection.statements, table, ["s", "u"], ["kite", "sea"], wanted);
      expect(of(hitsAmongAll)).to.deep.equal(of(hitsInScopes));
    }
    index("only", "kite", undefined, "rare");
    const rare = [connection.statements, table, ["rare"], ["kite"], 5] as const;
    expect([hitsAmongAll(...rare), hitsInScopes(...rare)]).to.deep.equal([undefined, ["only"]]);
  });

  it("looks for the rarest words first, within a budget, and for one at least", () => {
    const counts: Readonly<Record<string, number>> = { the: 20_001, rare: 3, common: 15_000, often: 9_000, absent: 0 };
    const choose = (...words: readonly string[]) => distinctiveWords(words, (word) => counts[word] ?? 0);
    expect(choose("the", "rare", "common", "often", "absent")).to.deep.equal(["rare", "often"]);
    expect(choose("the", "absent")).to.deep.equal(["the"]);
    expect(choose("absent")).to.deep.equal([]);
  });
});
