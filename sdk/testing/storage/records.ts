import { expect } from "chai";
import type { Storage } from "@pergola/sdk";
import { caught } from "./caught.ts";
import { notesOf } from "./notes.ts";

const hardBodies: Readonly<Record<string, string>> = {
  "text of every kind": JSON.stringify({
    accents: "é e\u0301",
    emoji: "👩‍👩‍👧",
    rightToLeft: "שלום",
    quotes: `'"\\`,
    lines: "a\r\nb\u2028",
  }),
  "NUL and control characters": JSON.stringify("a\u0000b\u0001\u007f"),
  "half of a surrogate pair": JSON.stringify("\ud83d"),
  "numbers at the ends of their range": JSON.stringify([
    0,
    5e-324,
    1.7976931348623157e308,
    9007199254740992,
    -0.1,
    0.1 + 0.2,
  ]),
  "keys that mean something to JavaScript":
    '{"__proto__":{"admin":true},"constructor":1,"toString":"x","":0}',
  "an order of keys": '{"z":1,"a":2,"m":3}',
  "nested empty values": '{"list":[],"object":{},"text":"","nothing":null,"deep":[[[[[{"end":false}]]]]]}',
};

/** One record at a time: get, put, delete, versions, copies, hard values. */
export function describeRecords(opened: () => Storage): void {
  describe("records", () => {
    it("gives undefined for an id that was never written", async () => {
      expect(await notesOf(opened()).get("nothing")).to.equal(undefined);
    });

    it("gives back what was put, with a version that counts the writes", async () => {
      const notes = notesOf(opened());
      await notes.put({ id: "a", scope: "s", body: 1 });
      await notes.put({ id: "a", scope: "s", body: 2 });
      expect(await notes.get("a")).to.deep.equal({ id: "a", scope: "s", body: 2, version: 2 });
    });

    it("puts under a condition: a version, 0 for a record that must be new", async () => {
      const notes = notesOf(opened());
      await notes.put({ id: "a", scope: "s", body: 1 }, { ifVersion: 0 });
      expect(await caught(notes.put({ id: "a", scope: "s", body: 2 }, { ifVersion: 0 }))).to.equal(
        "conflict",
      );
      await notes.put({ id: "a", scope: "s", body: 3 }, { ifVersion: 1 });
      expect(await caught(notes.put({ id: "a", scope: "s", body: 4 }, { ifVersion: 1 }))).to.equal(
        "conflict",
      );
      expect(await notes.get("a")).to.include({ body: 3, version: 2 });
    });

    it("replaces the whole record", async () => {
      const notes = notesOf(opened());
      await notes.put({ id: "a", scope: "s", seq: 1 });
      await notes.put({ id: "a" });
      expect(await notes.get("a")).to.deep.equal({ id: "a", version: 2 });
    });

    it("ignores a version inside a written record", async () => {
      const notes = notesOf(opened());
      await notes.put({ id: "a", version: 99 } as { id: string });
      expect((await notes.get("a"))?.version).to.equal(1);
    });

    it("says whether a deleted record was there, and counts its versions anew", async () => {
      const notes = notesOf(opened());
      await notes.put({ id: "a" });
      await notes.put({ id: "a" });
      expect(await notes.delete("a")).to.equal(true);
      expect(await notes.delete("a")).to.equal(false);
      await notes.put({ id: "a" });
      expect((await notes.get("a"))?.version).to.equal(1);
    });

    it("sees every write that was asked for before the read, acknowledged or not", async () => {
      const notes = notesOf(opened());
      const writes = [notes.put({ id: "a", body: 1 }), notes.put({ id: "a", body: 2 })];
      const [read] = await Promise.all([notes.get("a"), ...writes]);
      expect(read?.body).to.equal(2);
    });

    it("keeps collections apart, and gives the same collection for the same name", async () => {
      const storage = opened();
      await storage.collection("plugin/one", { indexes: [] }).put({ id: "a" });
      await storage.collection("Plugin/One", { indexes: [] }).put({ id: "b" });
      expect(await storage.collection("plugin/one", { indexes: [] }).count({})).to.equal(1);
    });

    it("holds no piece of what it was given or gave out", async () => {
      const notes = notesOf(opened());
      const record = { id: "a", body: { list: [1] } };
      const written = notes.put(record);
      record.body.list.push(2);
      await written;
      const first = (await notes.get("a")) as unknown as typeof record;
      first.body.list.push(3);
      expect((await notes.get("a"))?.body).to.deep.equal({ list: [1] });
    });

    for (const [kind, text] of Object.entries(hardBodies)) {
      it(`keeps ${kind}`, async () => {
        const notes = notesOf(opened());
        await notes.put({ id: "a", body: JSON.parse(text) as null });
        expect(JSON.stringify((await notes.get("a"))?.body)).to.equal(JSON.stringify(JSON.parse(text)));
        expect(({} as { admin?: boolean }).admin).to.equal(undefined);
      });
    }

    it("takes ids of any script and length, and tells them apart by their characters", async () => {
      const notes = notesOf(opened());
      const ids = [
        "a",
        "A",
        "é",
        "e\u0301",
        "../x",
        "__proto__",
        "' OR 1=1 --",
        "%",
        "日本",
        "x".repeat(2000),
      ];
      for (const id of ids) await notes.put({ id, body: id });
      const read = await Promise.all(ids.map((id) => notes.get(id)));
      expect(read.map((note) => note?.body)).to.deep.equal(ids);
    });

    for (const id of ["", "a\u0000b", "\ud800", 7, undefined]) {
      it(`refuses the id ${JSON.stringify(id) ?? "undefined"}, which no database keeps`, async () => {
        const notes = notesOf(opened());
        expect(await caught(notes.put({ id } as { id: string }))).to.equal("invalid_id");
        expect(await notes.get(id as string)).to.equal(undefined);
      });
    }

    it("rejects every call after it was closed, and may be closed twice", async () => {
      const storage = opened();
      const notes = notesOf(storage);
      await storage.close();
      await storage.close();
      const calls = [
        notes.get("a"),
        notes.put({ id: "a" }),
        notes.find({}),
        storage.commit([]),
        storage.blobs.get("a"),
      ];
      expect(await Promise.all(calls.map(caught))).to.deep.equal(calls.map(() => "storage_unavailable"));
    });
  });
}
