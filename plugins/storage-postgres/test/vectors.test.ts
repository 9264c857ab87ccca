import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { bytesOf, euclidean } from "@pergola/kit-storage";
import type { SearchDocument, Storage } from "@pergola/sdk";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { openPostgres } from "../open-postgres.ts";
import { prepareEmbeddings } from "../pgvector.ts";
import { VectorServer } from "./support/vector-server.ts";

const { log } = toolContext();
const dimensions = 8;

/** A unit vector, another one for each number, in no order that a search could use. */
function vectorOf(at: number): Float32Array {
  const values = Array.from({ length: dimensions }, (_, place) => Math.sin(at * 12.9898 + place * 78.233));
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

const documents = (count: number, scope: string): readonly SearchDocument[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${scope}${at}`,
    scope,
    fields: {},
    vector: vectorOf(at),
  }));

const timeoutOf = (row: { readonly lock_timeout: string }): string => row.lock_timeout;

/** The ids of those whose vectors are the nearest. */
const nearestOf = (all: readonly SearchDocument[], vector: Float32Array, count: number): readonly string[] =>
  all
    .map((one) => ({ id: one.id, distance: euclidean(one.vector!, vector) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ id }) => id);

describe("vectors in pgvector", function () {
  this.timeout(120_000);
  let server: VectorServer;
  let storage: Storage | undefined;
  before(async () => (server = await VectorServer.start()));
  after(async () => server.end());
  afterEach(async () => {
    await storage?.close();
    await server.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  });

  async function open(): Promise<Storage> {
    await server.query("DEALLOCATE ALL");
    return (storage = await openPostgres({ ...server.settings }, { dataDirectory: temporaryFolder(), log }));
  }

  const indexIn = (opened: Storage) => opened.search("memories", { fields: {}, dimensions });

  const ask = async (opened: Storage, at: number, scope = "a") => {
    const hits = await indexIn(opened).query({ scopes: [scope], vector: vectorOf(at + 0.4), limit: 10 });
    return hits.map(({ id }) => id);
  };

  async function expectNearest(opened: Storage, all: readonly SearchDocument[]): Promise<void> {
    for (const at of [3, 50, 77])
      expect(await ask(opened, at)).to.deep.equal(nearestOf(all, vectorOf(at + 0.4), 10));
  }

  const unfilled = async (): Promise<number> => {
    const [found] = await server.query<{ readonly count: number }>(
      "SELECT count(*)::integer AS count FROM search_1 WHERE embedding IS NULL",
    );
    return found!.count;
  };

  it("are compared by the database, which gives the nearest with their cosines", async () => {
    const all = documents(300, "a");
    const opened = await open();
    await indexIn(opened).index([...all, ...documents(20, "b")]);
    await expectNearest(opened, all);
    const [same] = await indexIn(opened).query({ scopes: ["a"], vector: vectorOf(7), limit: 1 });
    expect(same).to.include({ id: "a7" });
    expect(same!.similarity).to.be.closeTo(1, 1e-6);
    // What the database compares is its own column: the bytes beside it are not read for it.
    await server.query(`UPDATE search_1 SET vector = '\\x${"00".repeat(4 * dimensions)}'`);
    await expectNearest(opened, all);
    await indexIn(opened).remove(["a7"]);
    const without = all.filter(({ id }) => id !== "a7");
    await expectNearest(opened, without);
  });

  it("are found in a large scope as well", async () => {
    const all = documents(2500, "a");
    const opened = await open();
    await indexIn(opened).index(all);
    const wanted = nearestOf(all, vectorOf(50.4), 10);
    const found = await ask(opened, 50);
    expect(found.filter((id) => wanted.includes(id))).to.have.length.above(8);
  });

  it("that an older host wrote are compared here, until they are in the column", async () => {
    const all = documents(450, "a");
    const opened = await open();
    await indexIn(opened).index(all);
    await server.query("UPDATE search_1 SET embedding = NULL WHERE row % 2 = 0");
    await expectNearest(opened, all);
    while ((await unfilled()) > 0) await setTimeout(20);
    await expectNearest(opened, all);
  });

  it("that were there before pgvector get the column at the next start", async () => {
    const all = documents(30, "a");
    const opened = await open();
    await indexIn(opened).index(all);
    await server.query("DROP EXTENSION vector CASCADE");
    await opened.close();
    const next = await open();
    await expectNearest(next, all);
    while ((await unfilled()) > 0) await setTimeout(20);
    await expectNearest(next, all);
  });

  it("wait for the next start where their table is in use, and keep nobody from it", async () => {
    const opened = await open();
    const all = documents(30, "a");
    await indexIn(opened).index(all);
    await opened.close();
    await server.query("ALTER TABLE search_1 DROP COLUMN embedding");
    const inUse = "DO $$ BEGIN RAISE EXCEPTION 'in use' USING ERRCODE = '55P03'; END $$";
    const answers: string[] = [];
    const client = {
      query: async (text: string) => {
        if (!text.includes("ALTER TABLE")) return { rows: await server.query(text) };
        answers.push(...(await server.query<{ lock_timeout: string }>("SHOW lock_timeout")).map(timeoutOf));
        return { rows: await server.query(inUse) };
      },
    };
    await server.query("BEGIN");
    expect(await prepareEmbeddings(client as never)).to.match(/in use; the next start tries again/);
    await server.query("COMMIT");
    expect(answers).to.deep.equal(["1s"]);
    await expectNearest(await open(), all);
    while ((await unfilled()) > 0) await setTimeout(20);
  });

  it("with more dimensions than its type takes are compared here", async () => {
    const opened = await open();
    const long = opened.search("long", { fields: {}, dimensions: 16_001 });
    const [one, other] = [new Float32Array(16_001).fill(0), new Float32Array(16_001).fill(0)];
    [one[0], other[1]] = [1, 1];
    await long.index([
      { id: "one", scope: "a", fields: {}, vector: one },
      { id: "other", scope: "a", fields: {}, vector: other },
    ]);
    const hits = await long.query({ scopes: ["a"], vector: other, limit: 2 });
    expect(hits.map(({ id }) => id)).to.deep.equal(["other", "one"]);
    expect(bytesOf(one)).to.have.length(64_004);
  });

  it("stay with us where the user may not make the extension, and it is said why", async () => {
    const opened = await open();
    await opened.close();
    await server.query("DROP EXTENSION vector CASCADE; CREATE ROLE plain; SET ROLE plain");
    await server.query("BEGIN");
    try {
      const client = { query: async (text: string) => ({ rows: await server.query(text) }) };
      expect(await prepareEmbeddings(client as never)).to.match(/permission denied/);
      expect(await server.query("SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
    } finally {
      await server.query("ROLLBACK");
      await server.query("RESET ROLE; DROP ROLE plain");
    }
  });
});
