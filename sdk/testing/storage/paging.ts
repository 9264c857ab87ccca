import { expect } from "chai";
import type { FindOptions, IndexValue, Storage } from "@pergola/sdk";
import { idsOf, notesOf, type Note } from "./notes.ts";

/** Values of `mark` in the order that every backend keeps. */
const ordered: readonly IndexValue[] = [
  null,
  -1e300,
  -2,
  -1.5,
  0,
  1,
  10,
  9007199254740992,
  1e300,
  "",
  "0",
  "A",
  "a",
  "aa",
  "b",
  "é",
  "\uffee",
  "😀",
  false,
  true,
];

const count = 25;

/** Order, limit, offset and keyset paging. */
export function describePaging(opened: () => Storage): void {
  describe("order and paging", () => {
    const filled = async () => {
      const notes = notesOf(opened());
      const records = Array.from({ length: count }, (_, number) => ({
        id: `n${String(number).padStart(2, "0")}`,
        scope: "s",
        seq: number % 7,
      }));
      await opened().commit(records.toReversed().map((put) => ({ collection: "notes", put })));
      await notes.put({ id: "other", scope: "t", seq: 3 });
      return notes;
    };

    const pages = async (
      options: FindOptions<Note>,
      between?: (last: Note) => Promise<unknown>,
    ): Promise<readonly string[]> => {
      const notes = notesOf(opened());
      const found: Note[] = [];
      for (let turn = 0; turn <= count; turn++) {
        const page = await notes.find({ scope: "s" }, { ...options, limit: 4, after: found.at(-1) });
        found.push(...page);
        const last = page.at(-1);
        if (last === undefined) return idsOf(found);
        await between?.(last);
      }
      throw new Error("the pages did not end");
    };

    it("orders by id unless told otherwise, and turns the order round for a minus", async () => {
      const notes = await filled();
      const ids = idsOf(await notes.find({ scope: "s" }));
      expect(ids).to.deep.equal([...ids].sort());
      expect(idsOf(await notes.find({ scope: "s" }, { order: "-id" }))).to.deep.equal([...ids].reverse());
    });

    it("orders values of all types the same way: null, numbers, text by code points, false, true", async () => {
      const notes = notesOf(opened());
      const records = ordered.map((mark, index) => ({ id: String((index * 7) % ordered.length), mark }));
      await opened().commit(records.map((put) => ({ collection: "notes", put })));
      expect((await notes.find({}, { order: "mark" })).map(({ mark }) => mark)).to.deep.equal(ordered);
      expect((await notes.find({}, { order: "-mark" })).map(({ mark }) => mark)).to.deep.equal(
        ordered.toReversed(),
      );
    });

    for (const order of ["id", "-id", "seq", "-seq"] as const) {
      it(`gives every record once in pages ordered by ${order}, ties broken by id`, async () => {
        const notes = await filled();
        const whole = idsOf(await notes.find({ scope: "s" }, { order }));
        expect(await pages({ order })).to.deep.equal(whole);
        expect(new Set(whole).size).to.equal(count);
      });
    }

    it("pages through absent values and mixed types", async () => {
      const notes = notesOf(opened());
      await opened().commit(
        [...ordered, ...ordered].map((mark, index) => ({
          collection: "notes",
          put: { id: `m${index}`, scope: "s", mark },
        })),
      );
      const found: Note[] = [];
      for (
        let page = await notes.find({}, { order: "-mark", limit: 3 });
        page.length > 0;
        page = await notes.find({}, { order: "-mark", limit: 3, after: page.at(-1) })
      ) {
        found.push(...page);
      }
      expect(idsOf(found)).to.deep.equal(idsOf(await notes.find({}, { order: "-mark" })));
      expect(found.length).to.equal(2 * ordered.length);
    });

    it("goes on after a record that was deleted in between", async () => {
      const notes = await filled();
      const whole = idsOf(await notes.find({ scope: "s" }, { order: "-seq" }));
      expect(await pages({ order: "-seq" }, (last) => notes.delete(last.id))).to.deep.equal(whole);
      expect(await notes.count({ scope: "s" })).to.be.lessThan(count);
    });

    it("does not repeat or lose a record when others are written in between", async () => {
      const notes = await filled();
      const whole = idsOf(await notes.find({ scope: "s" }, { order: "seq" }));
      let number = 0;
      expect(
        await pages({ order: "seq" }, () => notes.put({ id: `a${number++}`, scope: "s", seq: -1 })),
      ).to.deep.equal(whole);
    });

    it("combines a range with an order on the same field", async () => {
      const notes = await filled();
      const found = await notes.find({ scope: "s", seq: { gte: 2, lt: 4 } }, { order: "-seq" });
      expect([...new Set(found.map(({ seq }) => seq))]).to.deep.equal([3, 2]);
    });

    it("keeps to limit and offset, and to 1000 records when no limit is given", async () => {
      const notes = await filled();
      const ids = idsOf(await notes.find({ scope: "s" }));
      expect(idsOf(await notes.find({ scope: "s" }, { limit: 3 }))).to.deep.equal(ids.slice(0, 3));
      expect(idsOf(await notes.find({ scope: "s" }, { offset: 20, limit: 10 }))).to.deep.equal(ids.slice(20));
      expect(idsOf(await notes.find({ scope: "s" }, { limit: 0 }))).to.deep.equal([]);
      await opened().commit(
        Array.from({ length: 1001 }, (_, index) => ({
          collection: "notes",
          put: { id: `x${index}`, scope: "many" },
        })),
      );
      expect((await notes.find({ scope: "many" })).length).to.equal(1000);
      expect((await notes.find({ scope: "many" }, { limit: 5000 })).length).to.equal(1001);
    });
  });
}
