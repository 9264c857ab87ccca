import { expect } from "chai";
import type { Conversation, MemoryItem, MemoryService } from "@pergola/sdk";
import { longTerm } from "../long-term.ts";
import { recollect, type Sources } from "../recollect.ts";
import { chunk, memory } from "./scene.ts";

interface Known {
  readonly items?: readonly MemoryItem[];
  /** What a search finds. */
  readonly hits?: readonly MemoryItem[];
  readonly search?: MemoryService["search"];
  readonly count?: number;
}

function sourcesOf({ items = [], hits = items, search, count = 5 }: Known) {
  const asked: { readonly name: string; readonly query: object }[] = [];
  const note = (name: string, query: object): void => void asked.push({ name, query });
  const ofKinds = (all: readonly MemoryItem[], kinds?: readonly string[]) =>
    all.filter(({ kind }) => kinds?.includes(kind) ?? true);
  const [logged, looks]: [unknown[], { count: number }] = [[], { count: 0 }];
  const sources = {
    memory: {
      newest: async (of: { kinds?: readonly string[] }, limit: number) => (
        (looks.count += 1),
        ofKinds(items, of.kinds).slice(0, limit)
      ),
      search: async (query: Parameters<MemoryService["search"]>[0]) => {
        note("search", query);
        return search === undefined
          ? ofKinds(hits, query.kinds).map((item) => ({ item, similarity: 1 }))
          : search(query);
      },
      recall: async (query: object) => (note("recall", query), [chunk("said")]),
    },
    conversations: {
      list: async (query: object) => (note("list", query), { items: [{ id: "c1" }, { id: "c2" }], count: 2 }),
    },
    preferences: { get: (key: string) => (key === "memory.inject_count" ? count : 0.4) },
    log: { warn: (fields: unknown) => logged.push(fields) },
  } as unknown as Sources;
  return { sources, asked, logged, looks };
}

const warnings: string[] = [];
const scene = (scope = "c1") => ({
  scope,
  conversation: { id: "c1" } as Conversation,
  warn: (text: string) => void warnings.push(text),
});

const trace = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
const asking = (text: string, wordsOnly = false) => ({ text, trace, wordsOnly: async () => wordsOnly });

describe("recollecting", () => {
  beforeEach(() => void warnings.splice(0));

  it("searches the scope with the count and the threshold in force", async () => {
    const { sources, asked } = sourcesOf({ items: [memory()], count: 7 });
    expect((await recollect(sources, scene(), asking("tea"))).memories).to.have.length(1);
    expect(asked).to.deep.equal([
      {
        name: "search",
        query: {
          query: "tea",
          scopes: ["c1"],
          kinds: ["memory"],
          limit: 7,
          threshold: 0.4,
          wordsOnly: false,
          trace,
        },
      },
    ]);
  });

  it("searches nothing where there is nothing, nothing is asked, or nothing is wanted", async () => {
    for (const [known, question] of [
      [{}, "tea"],
      [{ items: [memory()] }, ""],
      [{ items: [memory()], count: 0 }, "tea"],
    ] as const) {
      const { sources, asked } = sourcesOf(known);
      expect(await recollect(sources, scene(), asking(question))).to.deep.equal({
        memories: [],
        longTerm: [],
        topicArchive: [],
      });
      expect(asked).to.deep.equal([]);
    }
  });

  it("looks once into a scope that knows nothing", async () => {
    const { sources, looks } = sourcesOf({});
    await recollect(sources, scene(), asking("tea"));
    expect(looks.count).to.equal(1);
  });

  it("looks nowhere for a new conversation, unless it shares a topic's memory", async () => {
    const { sources, looks, asked } = sourcesOf({ items: [memory()] });
    const found = await recollect(sources, { ...scene(), isNew: true }, asking("tea"));
    expect([found.memories, looks.count, asked]).to.deep.equal([[], 0, []]);
    const shared = await recollect(sources, { ...scene("t1"), isNew: true }, asking("tea"));
    expect(shared.memories).to.have.length(1);
  });

  it("asks the topic's other conversations, and none where the scope is the conversation's own", async () => {
    const { sources, asked } = sourcesOf({});
    expect((await recollect(sources, scene("t1"), asking("tea"))).topicArchive).to.have.length(1);
    expect(asked.at(0)).to.deep.equal({ name: "list", query: { topicId: "t1", limit: 50 } });
    expect(asked.at(1)).to.deep.equal({
      name: "recall",
      query: { query: "tea", conversationIds: ["c2"], limit: 3, wordsOnly: false, trace },
    });
  });

  it("goes on without a source that fails, with a warning and a line in the log", async () => {
    const search = () => Promise.reject(new Error("broken"));
    const { sources, logged } = sourcesOf({
      items: [memory(), memory({ kind: "pattern", content: "p" })],
      search,
    });
    const { memories, longTerm: lasting } = await recollect(sources, scene(), asking("tea"));
    expect([memories, lasting.map(({ item }) => item.content)]).to.deep.equal([[], ["p"]]);
    expect([warnings.length, logged.length]).to.deep.equal([1, 1]);
    expect(warnings[0]).to.match(/without all that is remembered/);
  });

  it("waits three seconds for a source that does not answer, and no longer", async function () {
    this.timeout(10_000);
    const { sources } = sourcesOf({ items: [memory()], search: () => new Promise(() => undefined) });
    const begun = performance.now();
    expect((await recollect(sources, scene(), asking("tea"))).memories).to.deep.equal([]);
    expect(performance.now() - begun).to.be.within(2900, 6000);
    expect(warnings).to.have.length(1);
  });
});

describe("long-term memory", () => {
  const patterns = [0.5, 0.9, 0.7, 0.9, 0.1].map((confidence, n) =>
    memory({ kind: "pattern", content: `p${n}`, confidence }),
  );
  const contents = async (items: readonly MemoryItem[], hits: readonly MemoryItem[] = []) => {
    const { sources, asked } = sourcesOf({ items, hits });
    return {
      shown: (await longTerm(sources.memory, "c1", asking("q"), 0.3)).map(({ item }) => item.content),
      asked,
    };
  };

  it("is shown whole, and not searched, where there are three of a kind", async () => {
    const few = [
      ...patterns.slice(0, 3),
      memory({ kind: "discovery", content: "d" }),
      memory({ kind: "solution", content: "s" }),
    ];
    const { shown, asked } = await contents(few);
    expect(shown).to.have.members(["p0", "p1", "p2", "d", "s"]);
    expect(asked).to.deep.equal([]);
  });

  it("is otherwise what fits, then the most certain, of these the newest", async () => {
    expect((await contents(patterns)).shown).to.deep.equal(["p1", "p3", "p2"]);
    const { shown, asked } = await contents(patterns, [patterns[4]!, patterns[1]!]);
    expect(shown).to.deep.equal(["p4", "p1", "p3"]);
    expect(asked).to.have.length(1);
  });
});
