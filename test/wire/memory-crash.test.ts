import { expect } from "chai";
import type { MemoryDraft, Storage } from "@pergola/sdk";
import { MemoryStorage } from "../../plugins/storage-memory/memory-storage.ts";
import { termsOf } from "../../plugins/service-memory/terms.ts";
import type { Memory } from "../../plugins/service-memory/memory.ts";
import { memoryScene, silentLog, type ToyModel } from "../support/memory-scene.ts";

const model: ToyModel = { id: "toy/fruit", groups: [["apple"], ["banana"], ["cherry"], ["damson"]] };
const of = { scope: "s1", scopeKind: "conversation" } as const;
const draft = (content: string, more: Partial<MemoryDraft> = {}): MemoryDraft => ({
  content,
  origin: "user",
  ...more,
});

/**
 * A storage that is cut off before its nth change: that one and all that follow never happen, and nobody is
 * told.
 */
function cutAfter(
  storage: Storage,
  changes: number,
): { readonly storage: Storage; readonly cut: Promise<void> } {
  let left = changes;
  let tell!: () => void;
  const cut = new Promise<void>((resolve) => (tell = resolve));
  const guarded = <T extends object>(target: T, names: readonly string[]): T =>
    new Proxy(target, {
      get(owner, name) {
        const value: unknown = Reflect.get(owner, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (!names.includes(String(name)))
            return (value as (...given: unknown[]) => unknown).apply(owner, args);
          if (left-- > 0) return (value as (...given: unknown[]) => unknown).apply(owner, args);
          tell();
          return new Promise(() => undefined);
        };
      },
    });
  const proxy = new Proxy(guarded(storage, ["commit"]), {
    get(owner, name) {
      if (name === "collection")
        return (...args: Parameters<Storage["collection"]>) =>
          guarded(storage.collection(...args), ["put", "delete"]);
      if (name === "search")
        return (...args: Parameters<Storage["search"]>) =>
          guarded(storage.search(...args), ["index", "remove", "removeScope"]);
      const value: unknown = Reflect.get(owner, name);
      return typeof value === "function" && name !== "commit"
        ? (value as () => unknown).bind(storage)
        : value;
    },
  });
  return { storage: proxy, cut };
}

/** What is in the indexes, looked at past the service: the items whose word or vector is there. */
async function indexed(
  storage: Storage,
  word: string,
): Promise<{ readonly words: number; readonly vectors: number }> {
  const scopes = ["memory:s1", "kv:s1"];
  const words = await storage
    .search("memories", { fields: { text: 1, near: 0.35 }, dimensions: 0 })
    .query({ scopes, text: termsOf(word).join(" "), limit: 50 });
  const vector = Float32Array.from([...model.groups, []], (group) => (group.includes(word) ? 1 : 0));
  const index = storage.search(`memories/${model.id}`, { fields: {}, dimensions: 5 });
  const near = await index.query({ scopes, vector, limit: 50 });
  return { words: words.length, vectors: near.filter(({ similarity = 0 }) => similarity > 0.7).length };
}

const deeds: Readonly<Record<string, (memory: Memory, ids: readonly string[]) => Promise<unknown>>> = {
  "a store": (memory) => memory.store(of, [draft("damson"), draft("damson jam", { kind: "kv", key: "k" })]),
  "a change": (memory, [id = ""]) => memory.update(id, { content: "damson" }),
  "a delete": (memory, [id = ""]) => memory.delete(id),
  "a new value": (memory) => memory.store(of, [draft("damson", { kind: "kv", key: "old" })]),
  "a prune": (memory) => memory.prune("s1", { maxAgeDays: 0, minConfidence: 2, most: { memory: 0 } }),
  "the end of a scope": (memory) => memory.deleteScope("s1"),
};

describe("memory after a crash", () => {
  for (const [name, deed] of Object.entries(deeds))
    it(`has items and indexes that agree, wherever ${name} was cut`, async function () {
      this.timeout(30_000);
      let cuts = 0;
      for (let changes = 0; ; changes++) {
        const whole = new MemoryStorage(silentLog);
        const before = memoryScene(whole, { model: () => model });
        const kept = [draft("apple"), draft("banana"), draft("cherry", { kind: "kv", key: "old" })];
        const ids = (await before.memory.store(of, kept)).map(({ item }) => item.id);
        await before.memory.stop();

        const { storage, cut } = cutAfter(whole, changes);
        const working = memoryScene(storage, { model: () => model });
        const ended = await Promise.race([deed(working.memory, ids).then(() => true), cut.then(() => false)]);

        const after = memoryScene(whole, { model: () => model });
        await after.find("x");
        const { items } = await after.memory.list({ scope: "s1" });
        for (const word of ["apple", "banana", "cherry", "damson"]) {
          const holding = items.filter(({ content }) => content.includes(word)).length;
          const own = await indexed(whole, word);
          expect(own.vectors, `${word} after ${changes}`).to.equal(holding);
          expect(holding === 0 ? own.words : 1, `${word} after ${changes}`).to.equal(holding === 0 ? 0 : 1);
          if (holding > 0) expect(own.words, `${word} after ${changes}`).to.be.at.least(holding);
          expect(await after.find(word, { threshold: 0.7 }), `${word} after ${changes}`).to.have.lengthOf(
            holding,
          );
        }
        await after.memory.stop();
        if (ended) break;
        cuts++;
      }
      expect(cuts).to.be.at.least(3);
    });
});
