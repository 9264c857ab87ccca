import { expect } from "chai";
import type { MemoryDraft } from "@pergola/sdk";
import { calling, play, saying, sentTo } from "../support/lab-stage.ts";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";
import { rememberedAt } from "../support/remembered.ts";

const of = { scope: "s1", scopeKind: "conversation" } as const;
const contents = [
  "Her favourite breakfast beverage is Earl Grey",
  "The car broke down on the motorway near Lyon",
  "He is allergic to peanuts",
  "They moved into a small flat in Hamburg last spring",
  "The quarterly report is due on Friday",
];

describe("memory with the embedded model", function () {
  this.timeout(60_000);
  let stage: Stage;
  before(async () => {
    stage = await openStage([], {
      plugins: officialPlugins(["bundle-standard", "provider-scripted"]),
      settings: { storage: { type: "sqlite" }, "memory.embedding_model": "embedded/minilm" },
    });
    const drafts = contents.map((content): MemoryDraft => ({ content, origin: "user" }));
    await stage.host.services.memory!.store(of, drafts);
  });
  after(() => stage.end());

  const first = async (query: string) =>
    (await stage.host.services.memory!.search({ query, scopes: ["s1"] }))[0];

  it("T25: finds what is meant though no word is the same", async () => {
    for (const [query, content] of [
      ["What does she like to drink in the morning?", contents[0]],
      ["vehicle trouble", contents[1]],
      ["Which nuts make him ill?", contents[2]],
      ["Where do they live now?", contents[3]],
    ]) {
      const hit = await first(query ?? "");
      expect(hit?.item.content, query).to.equal(content);
      expect(hit?.similarity, query).to.be.within(0.1, 1);
    }
  });

  it("finds nothing for what has nothing to do with anything", async () => {
    expect(await first("photosynthesis of algae")).to.equal(undefined);
  });

  it("P2m: puts what is meant before the model, at the latest with a run's second call", async () => {
    const { store, newestUserText } = rememberedAt(() => stage);
    const newestText = () => sentTo(stage.provider, -1).at(-1)?.content ?? "";
    await store("breakfast", contents);
    const question = "What does she like to drink in the morning?";
    const look = { name: "todo_operations", arguments: { operation: "list_todos" } };
    await play(stage, [calling(look), saying("Tea.")], { conversationId: "breakfast" }, question);
    expect(newestText(), "behind the newest result").to.match(/<memory>[^]*Earl Grey[^]*<\/memory>$/);
    await play(stage, [saying("Tea.")], { conversationId: "breakfast" }, question);
    expect(newestUserText(-1), "the vector of a question that was asked before").to.include("Earl Grey");
  });

  it("T25: recalls what was said by its meaning", async () => {
    const { conversations } = stage.host.services;
    await play(
      stage,
      [saying("I see.")],
      { conversationId: "talk" },
      "My sister plays the violin in an orchestra.",
    );
    const conversationIds = [conversations.idOf("talk")];
    const chunks = await stage.host.services.memory!.recall({
      query: "relatives who make music",
      conversationIds,
    });
    expect(chunks[0]?.content ?? "").to.include("violin");
    expect(
      await stage.host.services.memory!.recall({ query: "tax law of Norway", conversationIds }),
    ).to.deep.equal([]);
  });
});
