import { expect } from "chai";
import { CodeList } from "@pergola/kit-storage";
import { runBatch } from "../worker/run-batch.ts";
import { indexDocument, removeDocument, removeScope } from "../worker/search-documents.ts";
import { querySearch } from "../worker/search-query.ts";
import type { SearchTable } from "../worker/search-table.ts";
import { openConnection } from "./support/open-connection.ts";

const dimensions = 64;

/** Numbers from 0 to 1 that are the same in each run (Lehmer's generator). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const opposite = (vector: Float32Array): Float32Array => vector.map((value) => -value);

const unit = (vector: Float32Array): Float32Array => vector.map((value) => value / Math.hypot(...vector));

/** Vectors around some centres, as texts of some subjects would have them. */
function clustered(count: number, random = randomFrom(7)): readonly Float32Array[] {
  const direction = (): Float32Array =>
    unit(Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5));
  const centres = Array.from({ length: 50 }, direction);
  return Array.from({ length: count }, (_, index) => {
    const [centre, noise] = [centres[index % centres.length]!, direction()];
    return unit(centre.map((value, axis) => value + 0.8 * noise[axis]!));
  });
}

describe("codes of vectors", () => {
  it("go on over several blocks", () => {
    const list = new CodeList(1);
    for (let row = 1; row <= 10_000; row++)
      list.append(row, Buffer.from(Uint32Array.from([row % 5000 === 0 ? 0 : 0xff]).buffer));
    expect(list.nearest(Uint32Array.from([0]), 2)).to.deep.equal([5000, 10_000]);
    expect(list.bytes).to.equal(3 * 4096 * 8);
  });
});

describe("the nearest vectors of a large scope", function () {
  this.timeout(60_000);
  const vectors = clustered(6000);
  let connection: ReturnType<typeof openConnection>;
  let table: SearchTable;
  beforeEach(() => {
    connection = openConnection();
    connection.database.transaction(() => connection.searches.declare("near", { fields: {}, dimensions }))();
    table = connection.searches.get("near")!;
    connection.database.transaction(() => vectors.forEach((vector, index) => put(`v${index}`, vector)))();
  });
  afterEach(() => connection.database.close());

  const put = (id: string, vector: Float32Array, scope = "s") =>
    indexDocument(connection.statements, table, { id, scope, fields: {}, vector });
  const found = (vector: Float32Array, limit = 10, scopes = ["s"]) =>
    querySearch(connection, table, { scopes, vector, limit }).map(({ id }) => id);
  const exact = (vector: Float32Array) =>
    vectors
      .map(
        (other, index) =>
          [`v${index}`, other.reduce((sum, value, axis) => sum + value * vector[axis]!, 0)] as const,
      )
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 10)
      .map(([id]) => id);

  it("are nearly all found, without comparing all", () => {
    const questions = clustered(40, randomFrom(7)).map((vector) =>
      unit(vector.map((value, axis) => value + 0.02 * Math.sin(axis))),
    );
    let [right, rows] = [0, 0];
    for (const question of questions) {
      let ids: readonly string[] = [];
      const read = connection.read(() => void (ids = found(question)));
      if (question !== questions[0]) rows = Math.max(rows, ...read);
      right += exact(question).filter((id) => ids.includes(id)).length;
    }
    expect(right / (10 * questions.length)).to.be.at.least(0.95);
    expect(rows).to.be.below(2000);
  });

  it("are those that are there: what is new is found, what is gone or has moved is not", () => {
    const [first] = vectors;
    expect(found(first!, 1)).to.deep.equal(["v0"]);
    removeDocument(connection.statements, table, "v0");
    put("newest", opposite(first!));
    expect(found(first!, 1)).to.not.deep.equal(["newest"]);
    put("newest", first!);
    expect(found(first!, 1)).to.deep.equal(["newest"]);
    put("newest", opposite(first!));
    expect(found(first!, 200)).to.not.include.members(["newest"]).and.not.include("v0");
    put("elsewhere", first!, "t");
    expect(found(first!, 200)).to.not.include("elsewhere");
    expect(found(first!, 1, ["s", "t"])).to.deep.equal(["elsewhere"]);
  });

  it("are found after a scope was emptied and filled again", () => {
    found(vectors[0]!);
    connection.database.transaction(() => {
      removeScope(connection.statements, table, "s");
      for (let number = 0; number < 2500; number++) put(`w${number}`, opposite(vectors[17]!));
    })();
    expect(found(vectors[17]!)).to.have.lengthOf(10);
  });

  it("hold nothing of a transaction that was rolled back", () => {
    const [first] = vectors;
    const documents = [{ id: "lost", scope: "s", fields: {}, vector: opposite(first!) }];
    connection.database.pragma("max_page_count = 1");
    const query = { scopes: ["s"], vector: documents[0]!.vector, limit: 1 };
    const many = Array.from({ length: 3000 }, (_, index) => ({ ...documents[0]!, id: `lost ${index}` }));
    const { replies } = runBatch(connection, [
      { id: 1, name: "index", ask: { search: "near", documents } },
      { id: 2, name: "query", ask: { search: "near", query } },
      { id: 3, name: "index", ask: { search: "near", documents: many } },
    ]);
    expect(replies[2]!.fault?.code).to.equal("storage_unavailable");
    connection.database.pragma("max_page_count = 1000000");
    table = connection.searches.get("near")!;
    put("kept", first!);
    expect(found(first!, 2)).to.have.members(["v0", "kept"]);
  });

  it("are coded when a file of an earlier version has no codes", () => {
    connection.database.exec(`DROP TABLE ${table.name}_codes`);
    connection.reload();
    connection.database.transaction(() => connection.searches.declare("near", { fields: {}, dimensions }))();
    table = connection.searches.get("near")!;
    expect(found(vectors[3]!, 1)).to.deep.equal(["v3"]);
  });
});
