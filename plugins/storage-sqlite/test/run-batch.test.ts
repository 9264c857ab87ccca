import { existsSync, readFileSync } from "node:fs";
import { expect } from "chai";
import type { WorkerReply } from "@pergola/kit-worker";
import { temporaryFolder } from "@pergola/sdk/testing";
import type { Connection } from "../worker/connection.ts";
import { runBatch } from "../worker/run-batch.ts";
import { openBuilt } from "./support/open-built.ts";
import { openConnection } from "./support/open-connection.ts";
import { commit, declareNotes, get, put } from "./support/requests.ts";

/**
 * How many transactions a log holds: a frame that ends one carries the size of the database (SQLite file
 * format, 4.1).
 */
function transactionsIn(log: string): number {
  const bytes = readFileSync(log);
  const frame = 24 + bytes.readUInt32BE(8);
  const starts = Array.from(
    { length: Math.floor((bytes.length - 32) / frame) },
    (_, index) => 32 + index * frame,
  );
  return starts.filter((start) => bytes.readUInt32BE(start + 4) > 0).length;
}

const codes = (replies: readonly WorkerReply[]) => replies.map(({ fault }) => fault?.code ?? "done");

describe("group commit", () => {
  let connection: Connection & { readonly prepared: readonly string[] };
  beforeEach(() => {
    connection = openConnection();
    runBatch(connection, [declareNotes()]);
  });
  afterEach(() => connection.database.close());

  const count = (): unknown => connection.database.prepare("SELECT count(*) FROM records_1").pluck().get();

  it("makes few transactions of many writes that wait", async () => {
    const dataDirectory = temporaryFolder();
    const storage = await openBuilt(dataDirectory);
    const notes = storage.collection("notes", { indexes: [] });
    await notes.put({ id: "first" });
    const log = `${dataDirectory}/pergola.db-wal`;
    const before = transactionsIn(log);
    await Promise.all(Array.from({ length: 500 }, (_, number) => notes.put({ id: `n${number}` })));
    expect(transactionsIn(log) - before).to.be.within(1, 50);
    expect(await notes.count({})).to.equal(501);
    await storage.close();
    expect(existsSync(log)).to.equal(false);
  });

  it("takes one transaction for a batch, whatever is in it, and none for reads alone", () => {
    const begins = (): number => connection.prepared.filter((text) => text.startsWith("BEGIN")).length;
    const before = begins();
    runBatch(connection, [commit(put("a")), get("a"), commit(put("b"), put("c")), get("b")]);
    runBatch(connection, [get("a"), get("b")]);
    expect(begins() - before).to.equal(1);
  });

  it("rejects a commit whose condition fails, whole, and no other of the batch", () => {
    const { replies } = runBatch(connection, [
      commit(put("a")),
      commit(put("b"), put("a", { ifVersion: 7 })),
      get("b"),
      commit(put("c")),
    ]);
    expect(codes(replies)).to.deep.equal(["done", "conflict", "done", "done"]);
    expect(replies[2]?.answer).to.equal(undefined);
    expect(count()).to.equal(2);
  });

  it("takes a write that is alone back whole where it fails, and knows what it knew before", () => {
    let reloads = 0;
    const reload = connection.reload.bind(connection);
    connection.reload = () => ((reloads += 1), reload());
    const { replies } = runBatch(connection, [
      get("a"),
      commit(put("a"), put("b", { ifVersion: 7 })),
      get("a"),
    ]);
    expect(codes(replies)).to.deep.equal(["done", "conflict", "done"]);
    expect([replies[2]?.answer, count(), reloads]).to.deep.equal([undefined, 0, 0]);
    expect(codes(runBatch(connection, [commit(put("a"))]).replies)).to.deep.equal(["done"]);
  });

  it("lets a read see the writes before it, not those after it", () => {
    const { replies } = runBatch(connection, [get("a"), commit(put("a")), get("a")]);
    expect([replies[0]?.answer, replies[2]?.answer]).to.deep.equal([undefined, ['{"id":"a","body":""}', 1]]);
  });

  it("answers every write with the failure when the disk is full, reads again without them, and goes on when there is room (F5)", () => {
    const { database } = connection;
    const size = Number(database.pragma("page_count", { simple: true }));
    runBatch(connection, [commit(put("kept"))]);
    database.pragma(`max_page_count = ${size + 5}`);
    const large = put("large", { body: "x".repeat(100_000) });
    const { replies, broken } = runBatch(connection, [
      get("kept"),
      commit(put("small")),
      get("small"),
      commit(large),
      commit(put("late")),
    ]);
    expect(codes(replies)).to.deep.equal([
      "done",
      "storage_unavailable",
      "done",
      "storage_unavailable",
      "storage_unavailable",
    ]);
    expect(replies[1]?.fault?.message).to.equal("The disk is full; nothing was written.");
    expect([replies[0]?.answer !== undefined, replies[2]?.answer]).to.deep.equal([true, undefined]);
    expect([broken, count()]).to.deep.equal([undefined, 1]);
    database.pragma("max_page_count = 1000000");
    expect(codes(runBatch(connection, [commit(large)]).replies)).to.deep.equal(["done"]);
  });

  it("forgets what was declared in a transaction that failed, so that it can be declared again", () => {
    const { database } = connection;
    database.pragma(`max_page_count = ${Number(database.pragma("page_count", { simple: true }))}`);
    const declare = { ...declareNotes(), ask: { collection: "late", indexes: [["scope"]] } };
    const write = { collection: "late", put: "a", text: '{"id":"a"}' };
    expect(codes(runBatch(connection, [declare, commit(write)]).replies)).to.deep.equal([
      "storage_unavailable",
      "storage_unavailable",
    ]);
    expect(codes(runBatch(connection, [commit(write)]).replies)).to.deep.equal(["storage_unavailable"]);
    database.pragma("max_page_count = 1000000");
    expect(codes(runBatch(connection, [declare, commit(write)]).replies)).to.deep.equal(["done", "done"]);
  });

  it("names the connection broken after damage, and answers nothing wrong", () => {
    const { database } = connection;
    runBatch(connection, [commit(put("a", { body: "x".repeat(9000) }))]);
    database.unsafeMode();
    database.pragma("writable_schema = ON");
    database.exec("UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'records_1'");
    database.pragma("writable_schema = RESET");
    const { replies, broken } = runBatch(connection, [get("a"), commit(put("b"))]);
    expect(codes(replies)).to.deep.equal(["storage_unavailable", "storage_unavailable"]);
    expect(broken).to.be.instanceOf(Error);
  });
});
