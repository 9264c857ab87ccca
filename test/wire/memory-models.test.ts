import { expect } from "chai";
import type { MemoryDraft, Storage } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { MemoryStorage } from "../../plugins/storage-memory/memory-storage.ts";
import { openSqlite } from "../../plugins/storage-sqlite/open-sqlite.ts";
import { eventually } from "../support/lab-stage.ts";
import { recordingLog } from "../support/recording-log.ts";
import { memoryScene, silentLog, type ToyModel } from "../support/memory-scene.ts";

const backends: Readonly<Record<string, () => Promise<Storage>>> = {
  memory: async () => new MemoryStorage(silentLog),
  sqlite: async () => openSqlite({}, { dataDirectory: temporaryFolder(), log: silentLog }),
};

const drinks: ToyModel = {
  id: "toy/drinks",
  groups: [
    ["beverage", "tea", "coffee"],
    ["bicycle", "tandem"],
  ],
};
/** Another number of dimensions, so that a vector of the other model would not even fit. */
const vehicles: ToyModel = {
  id: "toy/vehicles",
  groups: [["bicycle", "vehicle"], ["beverage", "mug"], ["dog"]],
};

const of = { scope: "s1", scopeKind: "conversation" } as const;
const drafts: readonly MemoryDraft[] = ["Her tea is ready", "The bicycle is red", "A dog barks"].map(
  (content) => ({
    content,
    origin: "user",
  }),
);

for (const [name, open] of Object.entries(backends))
  describe(`vectors of memory on ${name} storage`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await open();
    });
    afterEach(() => storage.close());

    it("T25: find by meaning what shares no word", async () => {
      const { memory, find } = memoryScene(storage, { model: () => drinks });
      await memory.store(of, drafts);
      expect(await find("a beverage")).to.deep.equal(["Her tea is ready"]);
      expect(await find("tandem")).to.deep.equal(["The bicycle is red"]);
      await memory.stop();
    });

    it("P2m: are waited for by nobody who stores, and by those who search for a meaning", async () => {
      let begin = (): void => undefined;
      const waits = new Promise<void>((resolve) => (begin = resolve));
      const { memory, find } = memoryScene(storage, { model: () => drinks, before: () => waits });
      const [tea] = await memory.store(of, drafts);
      await memory.update(tea!.item.id, { content: "Her coffee is ready" });
      expect(await find("coffee", { wordsOnly: true })).to.deep.equal(["Her coffee is ready"]);
      expect(await find("beverage", { wordsOnly: true })).to.deep.equal([]);
      const found = find("a beverage");
      begin();
      expect(await found).to.deep.equal(["Her coffee is ready"]);
      await memory.stop();
    });

    it("P2m: are all made, and without a complaint, when much is stored at once", async () => {
      const log = recordingLog();
      const { memory, embedded } = memoryScene(storage, { model: () => drinks, log });
      const many = Array.from({ length: 40 }, (_, n): MemoryDraft => ({
        content: `Tea ${n}`,
        origin: "user",
      }));
      const scopes = ["s1", "s2", "s3"];
      await Promise.all(scopes.map((scope) => memory.store({ scope, scopeKind: "conversation" }, many)));
      await memory.settled;
      expect(log.lines.filter(({ level }) => level === "warn")).to.deep.equal([]);
      expect(new Set(embedded.map(({ text }) => text)).size).to.equal(40);
      const index = storage.search(`memories/${drinks.id}`, { fields: {}, dimensions: 3 });
      const vector = new Float32Array([1, 0, 0]);
      const held = await index.query({ scopes: scopes.map((s) => `memory:${s}`), vector, limit: 1000 });
      expect(held).to.have.length(120);
      await memory.stop();
    });

    it("follow a change of the content, and no other change", async () => {
      const { memory, find, embedded } = memoryScene(storage, { model: () => drinks });
      const [tea] = await memory.store(of, drafts);
      await memory.settled;
      embedded.length = 0;
      await memory.update(tea!.item.id, { importance: 1 });
      await memory.settled;
      expect(embedded).to.deep.equal([]);
      await memory.update(tea!.item.id, { content: "Her tandem is ready" });
      await memory.settled;
      expect(embedded.map(({ text }) => text)).to.deep.equal(["Her tandem is ready"]);
      expect(await find("a beverage")).to.deep.equal([]);
      await memory.stop();
    });

    it("are made anew in the background when the model changes, and never mix with the old ones", async () => {
      let model: ToyModel | undefined = drinks;
      const log = recordingLog();
      const { memory, find, embedded } = memoryScene(storage, { model: () => model, log });
      await memory.store(of, drafts);
      await memory.settled;
      expect(log.lines).to.deep.equal([]);
      model = vehicles;
      expect(await find("red bicycle")).to.deep.equal(["The bicycle is red"]);
      await memory.settled;
      expect(log.lines.map(({ fields }) => fields)).to.deep.equal([
        { model: vehicles.id, total: 3 },
        { model: vehicles.id, done: 3 },
      ]);
      expect(await find("some vehicle")).to.deep.equal(["The bicycle is red"]);
      expect(await find("a beverage")).to.deep.equal([]);
      embedded.length = 0;
      const old = storage.search(`memories/${drinks.id}`, { fields: {}, dimensions: 3 });
      expect(
        await old.query({ scopes: ["memory:s1"], vector: new Float32Array([1, 0, 0]), limit: 10 }),
      ).to.deep.equal([]);
      await find("anything");
      expect(embedded.map(({ text }) => text)).to.deep.equal(["anything"]);
      await memory.stop();
    });

    it("are made anew after a restart under another model, also where the old host was cut in the middle", async () => {
      const first = memoryScene(storage, { model: () => drinks });
      await first.memory.store(of, drafts);
      await first.memory.stop();
      const second = memoryScene(storage, { model: () => vehicles });
      expect(await second.find("a beverage", { threshold: 0.5 })).to.deep.equal([]);
      await second.memory.stop();
      const third = memoryScene(storage, { model: () => vehicles });
      await third.find("x");
      await third.memory.settled;
      expect(await third.find("vehicle")).to.deep.equal(["The bicycle is red"]);
      await third.memory.stop();
    });

    it("come later where there was no embedder; until then words find", async () => {
      let model: ToyModel | undefined;
      const { memory, find } = memoryScene(storage, { model: () => model });
      await memory.store(of, drafts);
      expect(await find("bicycles")).to.deep.equal(["The bicycle is red"]);
      expect(await find("a beverage")).to.deep.equal([]);
      model = drinks;
      await find("x");
      await memory.settled;
      expect(await find("a beverage")).to.deep.equal(["Her tea is ready"]);
      model = undefined;
      expect(await find("tea")).to.deep.equal(["Her tea is ready"]);
      await memory.stop();
    });

    it("go with a scope that somebody else's commit forgets", async () => {
      const { memory } = memoryScene(storage, { model: () => drinks });
      await memory.store(of, drafts);
      await storage.commit(memory.deletionWrites("s1"));
      expect((await memory.list({ scope: "s1" })).count).to.equal(0);
      const index = storage.search(`memories/${drinks.id}`, { fields: {}, dimensions: 3 });
      const vector = new Float32Array([1, 0, 0]);
      await eventually(async () =>
        (await index.query({ scopes: ["memory:s1"], vector, limit: 10 })).length === 0 ? true : undefined,
      );
      await memory.store(of, drafts.slice(0, 1));
      await memory.settled;
      expect(await index.query({ scopes: ["memory:s1"], vector, limit: 10 })).to.have.lengthOf(1);
      await memory.stop();
    });

    it("go with their items and scopes, those of models no longer in use too", async () => {
      let model: ToyModel | undefined = drinks;
      const { memory } = memoryScene(storage, { model: () => model });
      const [tea] = await memory.store(of, drafts);
      await memory.settled;
      model = undefined;
      await memory.delete(tea!.item.id);
      const index = storage.search(`memories/${drinks.id}`, { fields: {}, dimensions: 3 });
      const left = () =>
        index.query({ scopes: ["memory:s1"], vector: new Float32Array([1, 0, 0]), limit: 10 });
      expect(await left()).to.have.lengthOf(2);
      await memory.deleteScope("s1");
      expect(await left()).to.deep.equal([]);
      await memory.stop();
    });
  });
