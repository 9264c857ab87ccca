import { expect } from "chai";
import { openLastingDatabase } from "@pergola/kit-storage/directory";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openDatabase } from "../worker/connection.ts";
import { startHost } from "./support/host-process.ts";
import { openBuilt } from "./support/open-built.ts";

const kills = Number(process.env["STORE_KILLS"] ?? 20);

describe("durability", function () {
  this.timeout(60_000 + kills * 5000);

  it(`keeps every acknowledged write, whole, through ${kills} kills with SIGKILL (F2)`, async () => {
    const dataDirectory = temporaryFolder();
    const acknowledged = new Set<string>();
    for (let turn = 0; turn < kills; turn++) {
      const host = await startHost(dataDirectory);
      expect(await host.line()).to.equal("opened");
      host.tell("write");
      for (let lines = 0; lines < 5 + 13 * (turn % 20); lines++)
        for (const id of (await host.line())?.split(" ") ?? []) acknowledged.add(id);
      for (const line of await host.kill()) for (const id of line.split(" ")) acknowledged.add(id);
    }
    const storage = await openBuilt(dataDirectory);
    const records = await storage
      .collection<{ readonly id: string; readonly body: string }>("lines", { indexes: [] })
      .find({}, { limit: 1_000_000 });
    await storage.close();
    const kept = new Set(records.map(({ id }) => id));
    expect([...acknowledged].filter((id) => !kept.has(id))).to.deep.equal([]);
    expect(acknowledged.size).to.be.greaterThan(1000);
    expect(records.filter(({ id, body }) => body !== id.repeat(50))).to.deep.equal([]);
    const halves = [...kept].filter((id) => !kept.has(id.replace(/.$/, (end) => (end === "a" ? "b" : "a"))));
    expect(halves).to.deep.equal([]);
  });

  it("syncs the log at each commit unless told otherwise, and before the write-back at least", () => {
    for (const [durability, level] of [
      ["power", 2],
      ["process", 1],
    ] as const) {
      const database = openDatabase(`${temporaryFolder()}/x.db`, durability);
      expect(database.pragma("synchronous", { simple: true })).to.equal(level);
      expect(database.pragma("journal_mode", { simple: true })).to.equal("wal");
      database.close();
    }
  });

  it("leaves one complete file when it is closed", async () => {
    const dataDirectory = temporaryFolder();
    const storage = await openBuilt(dataDirectory, {});
    await storage.collection("lines", { indexes: [] }).put({ id: "a" });
    await storage.close();
    const reader = openLastingDatabase(`${dataDirectory}/pergola.db`, { readonly: true });
    expect(reader.pragma("quick_check", { simple: true })).to.equal("ok");
    expect(reader.prepare("SELECT id FROM records_1").pluck().all()).to.deep.equal(["a"]);
    reader.close();
  });

  it("has everything after a restart: records with versions, indexes, words, vectors, blobs", async () => {
    const dataDirectory = temporaryFolder();
    const open = async () => {
      const storage = await openBuilt(dataDirectory);
      const notes = storage.collection<{ readonly id: string; readonly scope: string }>("notes", {
        indexes: ["scope"],
      });
      return { storage, notes, search: storage.search("notes", { fields: { body: 1 }, dimensions: 2 }) };
    };
    const first = await open();
    await first.notes.put({ id: "a", scope: "s" });
    await first.notes.put({ id: "a", scope: "s" });
    await first.search.index([
      { id: "a", scope: "s", fields: { body: "kites" }, vector: new Float32Array([1, 0]) },
    ]);
    await first.storage.blobs.put("b", new Uint8Array([1, 2, 3]));
    await first.storage.close();
    const second = await open();
    expect(await second.notes.find({ scope: "s" })).to.deep.equal([{ id: "a", scope: "s", version: 2 }]);
    const [hit] = await second.search.query({
      scopes: ["s"],
      text: "kite",
      vector: new Float32Array([1, 0]),
      limit: 1,
    });
    expect([hit?.id, hit?.textRank, hit?.similarity]).to.deep.equal(["a", 1, 1]);
    expect([...((await second.storage.blobs.get("b")) ?? [])]).to.deep.equal([1, 2, 3]);
    await second.storage.close();
  });
});
