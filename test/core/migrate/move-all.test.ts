import { mkdtempSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Entity, Storage } from "@pergola/sdk";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { moveAll, type MoveResult } from "../../../core/migrate/move-all.ts";
import { refuseUnfinished } from "../../../core/migrate/moving-mark.ts";
import type { StorageSide } from "../../../core/migrate/storage-side.ts";
import { postgres } from "../../../plugins/storage-postgres/index.ts";
import {
  needsPostgres,
  sharedServer,
  type PostgresServer,
} from "../../../plugins/storage-postgres/test/support/postgres-server.ts";
import { sqlite } from "../../../plugins/storage-sqlite/index.ts";

const { log } = toolContext();

interface Note extends Entity {
  readonly kind: string;
  readonly body: unknown;
}

const notesIn = (storage: Storage) => storage.collection<Note>("test/notes", { indexes: ["kind"] });

/** Unit vectors, each another one. */
const vectorOf = (at: number): Float32Array => {
  const angle = at / 10;
  return Float32Array.of(Math.cos(angle), Math.sin(angle), 0, 0);
};

/** Something of everything that a storage can have. */
async function fill(storage: Storage): Promise<void> {
  const notes = notesIn(storage);
  for (let at = 0; at < 450; at += 1)
    await notes.put({
      id: `n${at}`,
      kind: at % 2 === 0 ? "even" : "odd",
      body: { text: `Größe ${at} 🌿`, at },
    });
  await notes.put({ id: "long", kind: "\u0000 and 'quotes'", body: "x".repeat(300_000) });
  await notes.put({ id: "n1", kind: "odd", body: "written twice" });
  storage.collection("test/empty", { indexes: [] });
  await storage.collection("search_progress", { indexes: [] }).put({ id: "n1" });
  const search = storage.search("memories", { fields: { title: 2, content: 1 }, dimensions: 0 });
  await search.index([{ id: "m1", scope: "s", fields: { content: "roses in the garden", title: "roses" } }]);
  const vectors = storage.search("memories/model", { fields: {}, dimensions: 4 });
  await vectors.index(
    Array.from({ length: 300 }, (_, at) => ({ id: `v${at}`, scope: "s", fields: {}, vector: vectorOf(at) })),
  );
  await storage.blobs.put("small", Buffer.from("bytes"));
  await storage.blobs.put("large", Buffer.alloc(700_000, 7));
  await storage.blobs.put("nothing", Buffer.alloc(0));
}

describe("moving to another storage", function () {
  this.timeout(120_000);
  let server: PostgresServer;
  before(needsPostgres);
  before(async () => {
    server = await sharedServer();
  });

  const root = temporaryFolder("pergola-move-");
  const sqliteSide = (): StorageSide => {
    const dataDirectory = mkdtempSync(path.join(root, "data-"));
    return { definition: sqlite, settings: {}, dataDirectory, place: dataDirectory, written: undefined };
  };
  const postgresSide = (): StorageSide => {
    const { type: _, ...settings } = server.settings({ host_timeout_seconds: 3 });
    const place = settings.schema;
    return { definition: postgres, settings, dataDirectory: root, place, written: undefined };
  };
  const opened = async <T>(side: StorageSide, use: (storage: Storage) => Promise<T>): Promise<T> => {
    const { dataDirectory } = side;
    const storage = await side.definition.open(side.settings, { dataDirectory, log });
    return use(storage).finally(() => storage.close());
  };
  const filled = async (): Promise<StorageSide> => {
    const side = sqliteSide();
    await opened(side, fill);
    return side;
  };
  const quiet = { checkOnly: false, log, onCopied: () => undefined, onCompare: () => undefined };
  const move = (from: StorageSide, to: StorageSide, more: object = {}): Promise<MoveResult> =>
    moveAll({ ...quiet, from, to, signal: new AbortController().signal, ...more });
  const digests = ({ compared }: MoveResult) =>
    compared.map(({ name, source }) => [name, source.count, source.digest]);
  const differentIn = ({ compared }: MoveResult) =>
    compared.filter(({ equal }) => !equal).map(({ name }) => name);
  const refused = (work: Promise<unknown>): Promise<Error & { readonly code?: string }> =>
    work.then(
      () => expect.fail("it was not refused"),
      (error: unknown) => error as Error,
    );

  it("takes everything to PostgreSQL and back, digest by digest", async () => {
    const [first, between, last] = [await filled(), postgresSide(), sqliteSide()];
    const there = await move(first, between);
    expect([there.finished, differentIn(there)]).to.deep.equal([true, []]);
    const counts = Object.fromEntries(there.compared.map(({ name, target }) => [name, target.count]));
    expect(counts).to.deep.equal({
      "test/empty": 0,
      "test/notes": 451,
      memories: 1,
      "memories/model": 300,
      blobs: 3,
    });
    const back = await move(between, last);
    expect(back.finished).to.equal(true);
    expect(digests(back)).to.deep.equal(digests(there));
    await opened(last, async (storage) => {
      expect((await notesIn(storage).get("n1"))?.body).to.equal("written twice");
      expect(await notesIn(storage).count({ kind: "even" })).to.equal(225);
      const search = storage.search("memories", { fields: { title: 2, content: 1 }, dimensions: 0 });
      const [hit] = await search.query({ scopes: ["s"], text: "rose", limit: 1 });
      expect(hit?.id).to.equal("m1");
      const vectors = storage.search("memories/model", { fields: {}, dimensions: 4 });
      const [near] = await vectors.query({ scopes: ["s"], vector: vectorOf(17), limit: 1 });
      expect(near?.id).to.equal("v17");
      expect((await storage.blobs.get("large"))?.length).to.equal(700_000);
    });
  });

  it("goes on after it was stopped, removes what is too much, and lets no service begin before", async () => {
    const [first, second] = [await filled(), postgresSide()];
    const stop = new AbortController();
    const onCopied = (): void => stop.abort(new Error("stopped"));
    const error = await refused(move(first, second, { signal: stop.signal, onCopied }));
    expect(error.message).to.equal("stopped");
    await opened(second, async (storage) => {
      const copied = await notesIn(storage).count({});
      expect(copied).to.be.greaterThan(0).and.lessThan(451);
      await notesIn(storage).put({ id: "foreign", kind: "odd", body: 1 });
      await storage.blobs.put("foreign", Buffer.from("x"));
      const begun = await refused(refuseUnfinished("postgres", storage));
      expect(begun.message).to.include(first.place);
    });
    const other = await filled();
    expect((await refused(move(other, second))).code).to.equal("invalid_value");
    const whole = await move(first, second);
    expect([whole.finished, differentIn(whole)]).to.deep.equal([true, []]);
    await opened(second, (storage) => refuseUnfinished("postgres", storage));
  });

  it("finds a changed record, a lost document and another byte of a blob", async () => {
    const [first, second] = [await filled(), postgresSide()];
    await move(first, second);
    const { schema } = second.settings as { readonly schema: string };
    const [table] = await server.query<{ readonly number: number }>(
      `SELECT number FROM ${schema}.collections WHERE name = 'test/notes'`,
    );
    const records = `${schema}.records_${table!.number}`;
    await server.query(
      `UPDATE ${records} SET body = replace(body, 'Größe 7 ', 'Größe 8 ') WHERE body LIKE '%Größe 7 %'`,
    );
    const checked = await move(first, second, { checkOnly: true });
    expect([checked.finished, differentIn(checked)]).to.deep.equal([false, ["test/notes"]]);
    await opened(second, async (storage) => {
      await storage.search("memories", { fields: { content: 1 }, dimensions: 0 }).remove(["m1"]);
      await storage.blobs.put("small", Buffer.from("bytez"));
    });
    const again = await move(first, second, { checkOnly: true });
    expect(differentIn(again)).to.deep.equal(["test/notes", "memories", "blobs"]);
  });

  it("refuses a target with data of its own, or with a service at work, and changes nothing in it", async () => {
    const [first, second] = [await filled(), postgresSide()];
    await opened(second, (storage) => notesIn(storage).put({ id: "own", kind: "odd", body: 1 }));
    expect((await refused(move(first, second))).message).to.include("data of its own");
    await opened(second, async (storage) => {
      expect(await notesIn(storage).count({})).to.equal(1);
      expect((await refused(move(first, second))).message).to.include("A service works on");
    });
    expect((await refused(move(first, first))).message).to.include("Both are the same");
  });

  for (const [name, source] of [
    ["SQLite", filled],
    [
      "PostgreSQL",
      async () => {
        const side = postgresSide();
        await opened(side, fill);
        return side;
      },
    ],
  ] as const)
    it(`copies from ${name} while a service works on it, and finishes once it does not`, async () => {
      const [first, second] = [await source(), postgresSide()];
      await opened(first, async (storage) => {
        const early = await move(first, second);
        expect([early.finished, early.sourceInUse, differentIn(early)]).to.deep.equal([false, true, []]);
        await notesIn(storage).put({ id: "late", kind: "odd", body: 1 });
        await notesIn(storage).delete("n2");
      });
      let looked = 0;
      const late = await move(first, second, { onCopied: (_: string, count: number) => (looked += count) });
      expect([late.finished, differentIn(late)]).to.deep.equal([true, []]);
      expect(looked).to.equal(451 + 1 + 300 + 3);
      await opened(second, async (storage) => {
        expect(await notesIn(storage).get("late")).to.include({ body: 1 });
        expect(await notesIn(storage).get("n2")).to.equal(undefined);
        expect((await notesIn(storage).get("n3"))?.version).to.equal(1);
      });
    });
});
