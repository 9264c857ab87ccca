import { expect } from "chai";
import type { Filter, JsonObject, Storage } from "@pergola/sdk";
import { caught } from "./caught.ts";
import { idsOf, notesOf, type Note } from "./notes.ts";

const few: readonly Note[] = [
  { id: "1", scope: "a", seq: 10, mark: "x" },
  { id: "2", scope: "a", seq: 20, mark: "y" },
  { id: "3", scope: "b", seq: 30, mark: "x" },
  { id: "4", scope: "b", seq: 40 },
  { id: "5", scope: null, seq: 50, mark: true },
  { id: "6", seq: 60, mark: 1 },
];

const filters: readonly (readonly [string, Filter<Note>, readonly string[]])[] = [
  ["everything", {}, ["1", "2", "3", "4", "5", "6"]],
  ["equality", { scope: "a" }, ["1", "2"]],
  ["equality on two fields of an index", { scope: "a", seq: 20 }, ["2"]],
  ["a field beyond the leading fields of an index", { scope: "b", mark: "x" }, ["3"]],
  ["null, which is also an absent field", { scope: null }, ["5", "6"]],
  ["one of several values", { scope: { in: ["b", null, "b", "nobody"] } }, ["3", "4", "5", "6"]],
  ["one of no values", { scope: { in: [] } }, []],
  ["a half-open range", { seq: { gte: 20, lt: 40 } }, ["2", "3"]],
  ["a range with one bound", { seq: { gte: 50 } }, ["5", "6"]],
  ["a range below a bound, without the absent ones", { mark: { lt: "y" } }, ["1", "3"]],
  ["a range of numbers, without text and booleans", { mark: { gte: 0 } }, ["6"]],
  ["a range whose bounds have two types", { mark: { gte: 0, lt: "z" } }, []],
  ["a range without bounds", { seq: {} }, ["1", "2", "3", "4", "5", "6"]],
  ["a boolean, which is no number", { mark: true }, ["5"]],
  ["a number, which is no boolean", { mark: 1 }, ["6"]],
  ["equality and a range", { scope: "b", seq: { lt: 40 } }, ["3"]],
  ["equality, several values and a range", { scope: "a", mark: { in: ["x", "y"] }, seq: { gte: 15 } }, ["2"]],
  ["ids", { id: { in: ["6", "2", "nobody"] } }, ["2", "6"]],
  ["ids from one on", { id: { gte: "5" } }, ["5", "6"]],
  ["a value that occurs nowhere", { scope: "' OR 1=1 --" }, []],
];

const refused: readonly (readonly [string, object, object?])[] = [
  ["a field without an index", { body: 1 }],
  ["an order without an index", {}, { order: "body" }],
  ["an undefined value, which would match everything", { scope: undefined }],
  ["an operator that does not exist", { seq: { gt: 1 } }],
  ["a list in place of { in }", { scope: ["a"] }],
];

/** Finding and counting by declared indexes. */
export function describeFind(opened: () => Storage): void {
  describe("find and count", () => {
    const filled = async () => {
      const notes = notesOf(opened());
      for (const note of few.toReversed()) await notes.put(note);
      return notes;
    };

    for (const [form, filter, expected] of filters) {
      it(`finds, counts and deletes by ${form}`, async () => {
        const notes = await filled();
        expect(idsOf(await notes.find(filter))).to.deep.equal(expected);
        expect(await notes.count(filter)).to.equal(expected.length);
        await opened().commit([{ collection: "notes", deleteWhere: filter }]);
        expect(idsOf(await notes.find({}))).to.deep.equal(idsOf(few).filter((id) => !expected.includes(id)));
      });
    }

    for (const [mistake, filter, options] of refused) {
      it(`refuses ${mistake}`, async () => {
        const notes = await filled();
        expect(await caught(notes.find(filter, options))).to.equal("internal_error");
        if (options !== undefined) return;
        expect(
          await caught(opened().commit([{ collection: "notes", deleteWhere: filter as JsonObject }])),
        ).to.equal("internal_error");
        expect(await notes.count({})).to.equal(few.length);
      });
    }

    it("gives records with their versions", async () => {
      const notes = await filled();
      await notes.put({ id: "1", scope: "a", seq: 11 });
      expect(await notes.find({ scope: "a", seq: 11 })).to.deep.equal([
        { id: "1", scope: "a", seq: 11, version: 2 },
      ]);
    });

    it("finds a record where its fields are now, and not where they were", async () => {
      const notes = await filled();
      await notes.put({ id: "1", scope: "b", seq: 5 });
      expect(idsOf(await notes.find({ scope: "a" }))).to.deep.equal(["2"]);
      expect(idsOf(await notes.find({ scope: "b" }, { order: "seq" }))).to.deep.equal(["1", "3", "4"]);
    });

    it("builds an index for records that were written before it was declared", async () => {
      const storage = opened();
      const plain = storage.collection<Note>("late", { indexes: [] });
      for (const note of few) await plain.put(note);
      const indexed = storage.collection<Note>("late", { indexes: [["scope", "seq"]] });
      expect(idsOf(await indexed.find({ scope: "b" }, { order: "-seq" }))).to.deep.equal(["4", "3"]);
      expect(idsOf(await plain.find({ scope: null }))).to.deep.equal(["5", "6"]);
    });
  });
}
