import { expect } from "chai";
import type { MemoryDraft, MemoryService } from "@pergola/sdk";
import { skipWithoutServer, storageTypes } from "../support/chosen-storage.ts";
import type { Stage } from "../support/host.ts";
import { openStage } from "../support/host.ts";

const of = { scope: "s1", scopeKind: "conversation" } as const;
const fact = (content: string, more: Partial<MemoryDraft> = {}): MemoryDraft => ({
  content,
  origin: "user",
  ...more,
});

/** A clock that goes on, and can be moved. */
function movable() {
  let ahead = 0;
  return { now: () => Date.now() + ahead, move: (by: number) => void (ahead += by) };
}

for (const type of storageTypes)
  describe(`memory on ${type} storage, by words`, () => {
    const clock = movable();
    skipWithoutServer(type);
    let stage: Stage;
    let memory: MemoryService;
    before(async () => {
      stage = await openStage([], { settings: { storage: { type } }, clock });
      memory = stage.host.services.memory!;
    });
    beforeEach(async () => {
      for (const scope of ["s1", "s2"]) await memory.deleteScope(scope);
    });
    after(() => stage?.end());

    const store = async (...drafts: readonly MemoryDraft[]) =>
      (await memory.store(of, drafts)).map(({ item }) => item);
    const found = async (query: string, more = {}) =>
      (await memory.search({ query, scopes: ["s1"], ...more })).map(({ item }) => item.content);

    it("keeps an item with everything it was given, and defaults for the rest", async () => {
      const given = {
        contentType: "preference",
        tags: ["drinks"],
        context: "breakfast",
        importance: 0.9,
        confidence: 0.8,
        metadata: { a: [1] },
      };
      const [item] = await store(fact("Tea over coffee", { ...given, origin: "import" }));
      expect(item).to.deep.include({
        ...given,
        ...of,
        kind: "memory",
        key: null,
        content: "Tea over coffee",
        origin: "import",
      });
      expect(await memory.get(item!.id)).to.deep.equal(item);
      const [plain] = await store(fact("Plain"));
      expect(plain).to.include({ contentType: "fact", context: null, importance: 0.5, confidence: 1 });
      expect(Math.abs(Date.parse(plain!.createdAt) - clock.now())).to.be.below(5000);
    });

    it("finds what is stored as soon as it is stored, changed or removed", async () => {
      const [tea, bike] = await store(fact("She drinks green tea"), fact("The bicycle is red"));
      expect(await found("drinking tea")).to.deep.equal(["She drinks green tea"]);
      await memory.update(tea!.id, { content: "She drinks black coffee" });
      expect(await found("green tea")).to.deep.equal([]);
      expect(await found("coffee")).to.deep.equal(["She drinks black coffee"]);
      await memory.delete(tea!.id);
      expect(await found("coffee")).to.deep.equal([]);
      expect(await found("bicycles")).to.deep.equal([bike!.content]);
    });

    it("T19: a high threshold leaves out what only holds the word among others", async () => {
      await store(fact("Tea"), fact("Green tea"), fact("On Monday she bought bread, tea, apples and a lamp"));
      expect(await found("tea")).to.have.lengthOf(3);
      expect(await found("tea", { threshold: 0.8 })).to.have.members(["Tea", "Green tea"]);
      expect(await found("tea", { threshold: 0.95 })).to.deep.equal(["Tea"]);
    });

    it("finds nothing of a removed or changed item by way of its neighbours", async () => {
      const [secret] = await store(fact("The passphrase is xylophone"), fact("Then we had lunch"));
      expect(await found("xylophone lunch", { threshold: 0 })).to.have.lengthOf(2);
      await memory.update(secret!.id, { content: "The passphrase has changed" });
      expect(await found("xylophone", { threshold: 0 })).to.deep.equal([]);
      await memory.delete(secret!.id);
      expect(await found("passphrase", { threshold: 0 })).to.deep.equal([]);
    });

    it("T23: stores the same content once within five minutes, spaces aside, and again after that", async () => {
      const [first] = await memory.store(of, [fact("The door code is 4711")]);
      const [again] = await memory.store(of, [fact(" The door  code is 4711\n", { origin: "model" })]);
      expect([first!.duplicate, again!.duplicate, again!.item.id]).to.deep.equal([
        false,
        true,
        first!.item.id,
      ]);
      const elsewhere = await memory.store({ scope: "s2", scopeKind: "topic" }, [
        fact("The door code is 4711"),
      ]);
      expect(elsewhere[0]!.duplicate).to.equal(false);
      clock.move(301_000);
      const [later] = await memory.store(of, [fact("The door code is 4711")]);
      expect(later!.duplicate).to.equal(false);
      expect((await memory.list({ scope: "s1" })).count).to.equal(2);
    });

    it("T23: stores the same content once when it comes at the same time, or twice in one call", async () => {
      const both = await Promise.all([
        memory.store(of, [fact("twin"), fact("twin")]),
        memory.store(of, [fact("twin")]),
      ]);
      expect(both.flat().filter(({ duplicate }) => !duplicate)).to.have.lengthOf(1);
    });

    it("stores nothing twice for one tool call, however late it is repeated", async () => {
      await memory.store({ ...of, callId: "call_1" }, [fact("once")]);
      clock.move(3_600_000);
      expect((await memory.store({ ...of, callId: "call_1" }, [fact("once")]))[0]!.duplicate).to.equal(true);
      expect((await memory.store({ ...of, callId: "call_2" }, [fact("once")]))[0]!.duplicate).to.equal(false);
    });

    it("keeps one value for each key of a scope", async () => {
      const value = (key: string, content: string) => fact(content, { kind: "kv", key });
      const [old] = await store(value("colour", "red"));
      clock.move(1000);
      const [now] = await store(value("colour", "blue"));
      await store(value("size", "blue"));
      await memory.store({ scope: "s2", scopeKind: "topic" }, [value("colour", "green")]);
      expect([now!.id, now!.createdAt]).to.deep.equal([old!.id, old!.createdAt]);
      const { items } = await memory.list({ scope: "s1", kinds: ["kv"], key: "colour" });
      expect(items.map(({ content }) => content)).to.deep.equal(["blue"]);
      expect(await found("red", { kinds: ["kv"] })).to.deep.equal([]);
      expect(await found("colour", { kinds: ["kv"] })).to.deep.equal(["blue"]);
      const refused = await memory.store(of, [fact("x", { kind: "kv" })]).catch((error: unknown) => error);
      expect(refused).to.include({ code: "invalid_value" });
    });

    it("keeps scopes and kinds apart", async () => {
      await store(fact("the lamp is broken"), fact("the lamp was repaired", { kind: "discovery" }));
      await memory.store({ scope: "s2", scopeKind: "topic" }, [fact("the lamp of another")]);
      expect(await found("lamp", { kinds: ["discovery"] })).to.deep.equal(["the lamp was repaired"]);
      expect(await found("lamp")).to.have.members(["the lamp is broken", "the lamp was repaired"]);
      expect((await memory.search({ query: "lamp", scopes: ["s1", "s2"] })).length).to.equal(3);
    });

    it("lists newest first, by pages and filters", async () => {
      await store(
        ...[1, 2, 3, 4, 5].map((n) =>
          fact(`number ${n}`, { tags: n % 2 ? ["odd"] : [], contentType: n > 3 ? "task" : "fact" }),
        ),
      );
      const contents = async (page: object) =>
        (await memory.list({ scope: "s1", ...page })).items.map(({ content }) => content.slice(-1)).join("");
      expect(await contents({})).to.equal("54321");
      expect(await contents({ limit: 2, offset: 1 })).to.equal("43");
      expect(await contents({ tag: "odd", limit: 2, offset: 1 })).to.equal("31");
      expect(await contents({ contentType: "task" })).to.equal("54");
      expect(await contents({ tag: "odd", contentType: "task" })).to.equal("5");
      expect((await memory.list({ scope: "s1", tag: "odd", limit: 1 })).count).to.equal(3);
      expect((await memory.list({ scope: "s1", limit: 1 })).count).to.equal(5);
      expect(await found("number", { tag: "odd", threshold: 0 })).to.have.lengthOf(3);
    });

    it("counts what there is", async () => {
      expect(await memory.statistics("s1")).to.deep.include({
        total: 0,
        recent: 0,
        meanImportance: 0,
        lastUpdated: null,
      });
      await store(
        fact("a", { importance: 1 }),
        fact("b", { contentType: "task", importance: 0 }),
        fact("c", { kind: "pattern" }),
      );
      const { byKind, byType, ...rest } = await memory.statistics("s1");
      expect(byKind).to.deep.equal({ memory: 2, kv: 0, discovery: 0, solution: 0, pattern: 1 });
      expect(byType).to.deep.equal({ fact: 1, task: 1, pattern: 1 });
      expect(rest).to.include({ total: 3, recent: 3, meanImportance: 0.5 });
    });

    it("prunes what is old, doubtful or too much, and nothing else", async () => {
      const discovery = (content: string, confidence: number) =>
        fact(content, { kind: "discovery", confidence });
      await store(discovery("ancient", 1), fact("an old memory"));
      clock.move(100 * 86_400_000);
      await store(
        discovery("doubtful", 0.1),
        discovery("good", 0.9),
        discovery("better", 0.95),
        discovery("best", 1),
      );
      const rules = { maxAgeDays: 90, minConfidence: 0.3, most: { discovery: 2 } };
      expect(await memory.prune("s1", rules)).to.deep.equal({ removed: 3, remaining: 2 });
      const { items } = await memory.list({ scope: "s1" });
      expect(items.map(({ content }) => content)).to.have.members(["best", "better", "an old memory"]);
      expect(await found("ancient good doubtful", { threshold: 0 })).to.deep.equal([]);
    });

    it("forgets a scope, in somebody's commit too, and takes it up again", async () => {
      await store(fact("the harbour"), fact("the value", { kind: "kv", key: "harbour" }));
      await memory.deleteScope("s1");
      expect([
        await found("harbour", { threshold: 0 }),
        (await memory.list({ scope: "s1" })).count,
      ]).to.deep.equal([[], 0]);
      await store(fact("the harbour again"));
      expect(await found("harbour")).to.deep.equal(["the harbour again"]);
    });

    it("answers not_found for what is not there", async () => {
      const works = [memory.get("x"), memory.update("x", {}), memory.delete("x")];
      for (const result of await Promise.allSettled<unknown>(works))
        expect(result.status === "rejected" && result.reason).to.include({ code: "not_found" });
    });

    it("finds the same content once, with its newest date", async () => {
      await store(fact("The door code is 4711"));
      clock.move(301_000);
      const [later] = await store(fact("The door code is  4711"));
      const hits = await memory.search({ query: "door code", scopes: ["s1"] });
      expect(hits.map(({ item }) => item.id)).to.deep.equal([later!.id]);
      expect((await memory.list({ scope: "s1" })).count).to.equal(2);
    });

    it("keeps what contradicts itself: both are found, the newest first, each with its date", async () => {
      const [old] = await store(fact("Anna lives in Berlin"));
      await store(fact("Tom lives with his dog"));
      clock.move(86_400_000);
      const [now] = await store(fact("Anna lives in Munich"));
      const hits = await memory.search({ query: "Where does Anna live?", scopes: ["s1"] });
      expect(hits.slice(0, 2).map(({ item }) => item.id)).to.deep.equal([now!.id, old!.id]);
      expect(Date.parse(hits[0]!.item.updatedAt) - Date.parse(hits[1]!.item.updatedAt)).to.be.at.least(
        86_400_000,
      );
      clock.move(1000);
      await memory.update(old!.id, { content: "Anna lives in Bonn" });
      expect((await found("Where does Anna live?"))[0]).to.equal("Anna lives in Bonn");
    });

    it("puts the more important of two first that answer as well", async () => {
      await store(fact("All contracts were scanned by Tom", { importance: 1 }));
      clock.move(1_000_000);
      await store(fact("The contracts are with a lawyer", { importance: 0 }));
      expect((await found("contracts"))[0]).to.equal("All contracts were scanned by Tom");
    });

    it("finds an answer by the question that was asked before it", async () => {
      await store(
        fact("Did you ever repair that accordion?"),
        fact("Last summer, and it took ages"),
        fact("The weather stays fine"),
      );
      expect((await found("accordion repair", { threshold: 0 }))[0]).to.equal(
        "Last summer, and it took ages",
      );
    });

    it("stores many at once, in order", async () => {
      const items = await store(...Array.from({ length: 100 }, (_, n) => fact(`entry ${n} of the ledger`)));
      expect(new Set(items.map(({ id }) => id)).size).to.equal(100);
      expect((await memory.list({ scope: "s1", limit: 1 })).items[0]!.content).to.equal(
        "entry 99 of the ledger",
      );
      expect((await found("entry 42 ledger"))[0]).to.equal("entry 42 of the ledger");
    });
  });
