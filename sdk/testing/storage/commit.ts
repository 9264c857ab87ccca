import { expect } from "chai";
import type { Storage, Write } from "@pergola/sdk";
import { caught } from "./caught.ts";
import { idsOf, notesOf, putNote } from "./notes.ts";

interface Counter {
  readonly id: string;
  readonly value: number;
}

/** Several writes, all or nothing, with and without conditions. */
export function describeCommit(opened: () => Storage): void {
  describe("commit", () => {
    const others = () => opened().collection("others", { indexes: [] });

    it("writes into several collections", async () => {
      const notes = notesOf(opened());
      others();
      await opened().commit([
        { collection: "notes", put: { id: "a" } },
        { collection: "others", put: { id: "b" } },
      ]);
      expect([await notes.count({}), await others().count({})]).to.deep.equal([1, 1]);
    });

    it("carries the writes out in the order given", async () => {
      const notes = notesOf(opened());
      await notes.put({ id: "old", scope: "s" });
      await opened().commit([
        putNote({ id: "new", scope: "s" }),
        { collection: "notes", deleteWhere: { scope: "s" } },
        putNote({ id: "last", scope: "s" }),
        putNote({ id: "last", scope: "s", seq: 2 }),
      ]);
      expect(await notes.find({ scope: "s" })).to.deep.equal([
        { id: "last", scope: "s", seq: 2, version: 2 },
      ]);
    });

    it("does nothing for an empty commit, and for the delete of a record that is not there", async () => {
      notesOf(opened());
      expect(await caught(opened().commit([]))).to.equal(undefined);
      expect(await caught(opened().commit([{ collection: "notes", delete: "nothing" }]))).to.equal(undefined);
    });

    const conditions: readonly (readonly [string, Write, string | undefined])[] = [
      [
        "a put with the version the record has",
        { collection: "notes", put: { id: "two" }, ifVersion: 2 },
        undefined,
      ],
      ["a put with an older version", { collection: "notes", put: { id: "two" }, ifVersion: 1 }, "conflict"],
      ["a put with a later version", { collection: "notes", put: { id: "two" }, ifVersion: 3 }, "conflict"],
      [
        "a put of a record that must not exist, but does",
        { collection: "notes", put: { id: "two" }, ifVersion: 0 },
        "conflict",
      ],
      [
        "a put of a record that must not exist, and does not",
        { collection: "notes", put: { id: "none" }, ifVersion: 0 },
        undefined,
      ],
      [
        "a put of a record that must exist, but does not",
        { collection: "notes", put: { id: "none" }, ifVersion: 1 },
        "conflict",
      ],
      [
        "a put with a version that no record has",
        { collection: "notes", put: { id: "two" }, ifVersion: -1 },
        "conflict",
      ],
      [
        "a delete with a version that no record has",
        { collection: "notes", delete: "two", ifVersion: -1 },
        "conflict",
      ],
      [
        "a delete with the version the record has",
        { collection: "notes", delete: "two", ifVersion: 2 },
        undefined,
      ],
      ["a delete with an older version", { collection: "notes", delete: "two", ifVersion: 1 }, "conflict"],
      [
        "a delete of a record that must not exist, but does",
        { collection: "notes", delete: "two", ifVersion: 0 },
        "conflict",
      ],
      [
        "a delete of a record that must not exist, and does not",
        { collection: "notes", delete: "none", ifVersion: 0 },
        undefined,
      ],
      [
        "a delete of a record that must exist, but does not",
        { collection: "notes", delete: "none", ifVersion: 1 },
        "conflict",
      ],
    ];
    for (const [form, write, code] of conditions) {
      it(`${code === undefined ? "accepts" : "refuses"} ${form}`, async () => {
        const notes = notesOf(opened());
        await notes.put({ id: "two" });
        await notes.put({ id: "two" });
        expect(await caught(opened().commit([write]))).to.equal(code);
        if (code !== undefined)
          expect(idsOf(await notes.find({ id: { in: ["two", "none"] } }))).to.deep.equal(["two"]);
      });
    }

    const failing: Readonly<Record<string, Write>> = {
      conflict: { collection: "notes", put: { id: "kept" }, ifVersion: 7 },
      invalid_id: { collection: "notes", put: { id: "" } },
      internal_error: { collection: "never declared", put: { id: "x" } },
    };
    for (const [code, last] of Object.entries(failing)) {
      it(`leaves everything as it was when the last of many writes fails with ${code}`, async () => {
        const notes = notesOf(opened());
        const other = others();
        await notes.put({ id: "kept", scope: "s", seq: 1 });
        await other.put({ id: "kept" });
        const writes: Write[] = [
          putNote({ id: "kept", scope: "changed" }),
          { collection: "notes", put: { id: "new" } },
          { collection: "others", delete: "kept" },
          { collection: "notes", deleteWhere: { scope: "changed" } },
          last,
        ];
        expect(await caught(opened().commit(writes))).to.equal(code);
        expect(await notes.find({})).to.deep.equal([{ id: "kept", scope: "s", seq: 1, version: 1 }]);
        expect(idsOf(await other.find({}))).to.deep.equal(["kept"]);
      });
    }

    it("lets exactly one of twenty win that compare and set at the same time, and harms no bystander", async () => {
      const counters = opened().collection<Counter>("counters", { indexes: [] });
      await counters.put({ id: "c", value: 0 });
      const race = Array.from({ length: 20 }, (_, value) =>
        opened().commit([{ collection: "counters", put: { id: "c", value } as Counter, ifVersion: 1 }]),
      );
      const bystanders = Array.from({ length: 20 }, (_, value) => counters.put({ id: `b${value}`, value }));
      const codes = await Promise.all(race.map(caught));
      await Promise.all(bystanders);
      expect(codes.filter((code) => code === undefined).length).to.equal(1);
      expect(codes.filter((code) => code === "conflict").length).to.equal(19);
      expect(await counters.get("c")).to.deep.equal({ id: "c", value: codes.indexOf(undefined), version: 2 });
      expect(await counters.count({})).to.equal(21);
    });

    it("loses no step of many counters that read, add and compare", async () => {
      const counters = opened().collection<Counter>("counters", { indexes: [] });
      await counters.put({ id: "c", value: 0 });
      const addOne = async (): Promise<void> => {
        const { version, value } = (await counters.get("c")) ?? { version: 0, value: 0 };
        const code = await caught(
          opened().commit([
            { collection: "counters", put: { id: "c", value: value + 1 } as Counter, ifVersion: version },
          ]),
        );
        if (code === "conflict") await addOne();
      };
      await Promise.all(Array.from({ length: 10 }, addOne));
      expect((await counters.get("c"))?.value).to.equal(10);
    });
  });
}
