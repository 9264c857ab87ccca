import { expect } from "chai";
import { AppError, type Storage } from "@pergola/sdk";
import { NamedRecords, retryConflicts, type NamedRecord } from "@pergola/sdk/host";
import { MemoryStorage } from "../../plugins/storage-memory/memory-storage.ts";
import { silentLog } from "../support/memory-scene.ts";

interface Thing extends NamedRecord {
  readonly size: number;
}

const open = (storage: Storage) => new NamedRecords<Thing>(storage, "things", "thing");
const make = (id: string, name: string): Thing => ({ id, name, size: 1 });
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "done",
    (error: unknown) => (AppError.is(error) ? error.code : error),
  );

describe("named records", () => {
  let things: NamedRecords<Thing>;
  let other: NamedRecords<Thing>;
  let storage: Storage;
  beforeEach(() => {
    storage = new MemoryStorage(silentLog);
    // Two services on one storage: what keeps them apart is in the storage alone.
    [things, other] = [open(storage), open(storage)];
  });

  it("are one for each name, also for two services at once", async () => {
    const made = await Promise.all(
      [things, other, things, other].map((each, index) => each.create(index % 2 ? "PLUM" : " plum ", make)),
    );
    expect(new Set(made.map(({ record }) => record.id)).size).to.equal(1);
    expect(made.filter(({ isNew }) => isNew)).to.have.lengthOf(1);
    expect((await things.list({})).count).to.equal(1);
  });

  it("show themselves without what is kept beside them", async () => {
    const { record } = await things.create("Plum", make);
    expect(await things.get(record.id)).to.deep.equal({ id: record.id, name: "Plum", size: 1 });
    expect(await things.find(record.id.toUpperCase())).to.deep.equal(record);
    expect((await things.list({})).items).to.deep.equal([record]);
    expect(await codeOf(things.get("x\0"))).to.equal("not_found");
    expect(await things.findByName("x\0")).to.equal(undefined);
  });

  it("tell names apart by letters, not by their composition", async () => {
    const { record } = await things.create("Cafe\u0301", make);
    expect(record.name).to.equal("Caf\u00e9");
    expect((await things.create("CAF\u00c9", make)).record).to.deep.equal(record);
    expect((await things.create("Cafe", make)).isNew).to.equal(true);
  });

  it("take a new name, which only one of two gets, and give the old one free", async () => {
    const [plum, pear] = [
      (await things.create("Plum", make)).record,
      (await things.create("Pear", make)).record,
    ];
    const renamed = (each: NamedRecords<Thing>, { id }: Thing) =>
      codeOf(each.change(id, (now) => ({ ...now, name: "Fig" })));
    const ends = await Promise.all([renamed(things, plum), renamed(other, pear)]);
    expect(ends.toSorted()).to.deep.equal(["done", "id_taken"]);
    const free = ends[0] === "done" ? "Plum" : "Pear";
    expect((await things.create(free, make)).isNew).to.equal(true);
    expect((await things.list({})).items.map(({ name }) => name)).to.deep.equal(["Fig", "Pear", "Plum"]);
  });

  it("lose no change that comes at once", async () => {
    const { id } = (await things.create("Plum", make)).record;
    await Promise.all(
      [things, other, things, other].map((each) =>
        each.change(id, (now) => ({ ...now, size: now.size + 1 })),
      ),
    );
    expect((await things.get(id)).size).to.equal(5);
  });

  it("are gone with their name", async () => {
    const { id } = (await things.create("Plum", make)).record;
    await storage.commit(await things.removalWrites(id.toUpperCase()));
    expect(await things.find(id)).to.equal(undefined);
    expect((await things.create("plum", make)).record.id).to.not.equal(id);
    expect(await codeOf(things.removalWrites(id))).to.equal("not_found");
  });
});

describe("work done anew after a conflict", () => {
  const conflict = () => new AppError({ code: "conflict", message: "Changed." });

  it("ends with what it comes to, or after five times", async () => {
    let tries = 0;
    const work = (free: number) => async () => {
      if (++tries < free) throw conflict();
      return tries;
    };
    expect(await retryConflicts(work(5))).to.equal(5);
    tries = 0;
    expect(await codeOf(retryConflicts(work(9)))).to.equal("conflict");
    expect(tries).to.equal(5);
  });

  it("is not repeated for any other failure", async () => {
    let tries = 0;
    const failing = async () => {
      tries++;
      throw new AppError({ code: "not_found", message: "None." });
    };
    expect(await codeOf(retryConflicts(failing))).to.equal("not_found");
    expect(tries).to.equal(1);
  });
});
