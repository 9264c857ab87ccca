import { expect } from "chai";
import { skipWithoutServer, storageTypes } from "../support/chosen-storage.ts";
import { openStage, type Stage } from "../support/host.ts";
import { calling, messagesOf, play, saying, type WireMessage } from "../support/lab-stage.ts";
import { memoriesAt, type MemoryQuery, type WireMemory } from "../support/memory-routes.ts";
import { rememberedAt } from "../support/remembered.ts";
import { verifies } from "../support/verifies.ts";

for (const type of storageTypes)
  describe(`/api/memories on ${type} storage`, () => {
    skipWithoutServer(type);
    let stage: Stage;
    const { store, share, say, newestUserText, idOf } = rememberedAt(() => stage);
    const { ask, contents, one, clear } = memoriesAt(() => stage);
    before(async () => {
      stage = await openStage(saying("Fine."), { settings: { storage: { type } } });
    });
    after(() => stage?.end());
    beforeEach(async () => {
      stage.provider.play(saying("Fine."));
      await clear();
    });

    verifies("memories:list", "lists everything, newest first, with all that is known of it", async () => {
      await say("a", "Hello");
      await store("a", ["first", "second"]);
      await store("b", [
        {
          content: "third",
          kind: "kv",
          key: "k",
          tags: ["t"],
          context: "about",
          importance: 0.9,
          confidence: 0.8,
          origin: "import",
        },
      ]);
      const { status, body } = await ask();
      expect([status, body.count, body.memories.map(({ content }) => content)]).to.deep.equal([
        200,
        3,
        ["third", "second", "first"],
      ]);
      const { id, createdAt, updatedAt, ...rest } = body.memories[0] as unknown as Record<string, string>;
      expect(rest).to.deep.include({
        scopeKind: "conversation",
        scopeId: idOf("b"),
        kind: "kv",
        key: "k",
        content: "third",
        contentType: "fact",
        tags: ["t"],
        context: "about",
        importance: 0.9,
        confidence: 0.8,
        origin: "import",
      });
      expect(rest).to.not.have.any.keys("scope", "place", "digest", "callId", "version", "similarity");
      expect([createdAt, updatedAt].every((at) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at ?? ""))).to.equal(
        true,
      );
      expect((await one(id ?? "")).body).to.deep.equal(body.memories[0]);
      expect((await one((id ?? "").toUpperCase())).body.content).to.equal("third");
    });

    verifies(
      ["memories:list", "http:lists"],
      "lists by conversation, topic, type, tag and kind, a page at a time",
      async () => {
        for (const id of ["own", "one", "two"]) await say(id, "Hello");
        await store("one", ["kept before"]);
        const topic = await share(`Boats ${type}`, "one", "two");
        await store("own", ["of my own"]);
        await store(
          "one",
          [
            { content: "a task", contentType: "task", tags: ["x"] },
            { content: "a fact", tags: ["x", "y"] },
            { content: "p", kind: "pattern" },
          ],
          topic,
        );
        const shared = ["p", "a fact", "a task"];
        for (const query of [
          { conversationId: "one" },
          { conversation_id: "two" },
          { topicId: topic },
          { topicId: topic.toUpperCase() },
        ] as readonly MemoryQuery[])
          expect(await contents(query), JSON.stringify(query)).to.deep.equal(shared);
        expect(await contents({ conversationId: "own" })).to.deep.equal(["of my own"]);
        expect(await contents()).to.have.members([...shared, "of my own", "kept before"]);
        expect(await contents({ topicId: topic, contentType: "task" })).to.deep.equal(["a task"]);
        expect(await contents({ topicId: topic, content_type: "task", tag: "y" })).to.deep.equal([]);
        expect(await contents({ tag: "x" })).to.deep.equal(["a fact", "a task"]);
        expect(await contents({ kind: "PATTERN" })).to.deep.equal(["p"]);
        const { body } = await ask({ topicId: topic, limit: 1, offset: 1 });
        expect([body.count, body.memories.map(({ content }) => content)]).to.deep.equal([3, ["a fact"]]);
        expect((await ask({ topicId: topic, limit: 1, offset: 7 })).body).to.deep.equal({
          memories: [],
          count: 3,
        });
      },
    );

    verifies(
      "memories:search",
      "searches one scope or all, best first, each with its similarity",
      async () => {
        await say("s", "Hello");
        await store("s", [
          "The red bicycle",
          "A bicycle shop in Rome",
          "Green tea",
          { content: "Red bicycles rust", kind: "discovery", tags: ["r"] },
        ]);
        await store("elsewhere", ["A red bicycle in Oslo"]);
        const { body } = await ask({ conversationId: "s", q: "red bicycle" });
        const similarities = body.memories.map(({ similarity = Number.NaN }) => similarity);
        expect(body.memories.map(({ content }) => content).slice(0, 2)).to.have.members([
          "The red bicycle",
          "Red bicycles rust",
        ]);
        expect(body.memories.map(({ content }) => content))
          .to.not.include("Green tea")
          .and.not.include("A red bicycle in Oslo");
        expect(similarities.every((one) => one >= 0.3 && one <= 1)).to.equal(true);
        expect(body.count).to.equal(body.memories.length);
        expect(await contents({ q: "red bicycle" }))
          .to.include("A red bicycle in Oslo")
          .and.include("The red bicycle");
        expect(await contents({ conversationId: "s", q: "red bicycle", threshold: 0.85 })).to.have.members([
          "The red bicycle",
          "Red bicycles rust",
        ]);
        expect(
          await contents({ conversationId: "s", q: "red bicycle", kind: "discovery", tag: "r" }),
        ).to.deep.equal(["Red bicycles rust"]);
        const second = await ask({ conversationId: "s", q: "red bicycle", limit: 1, offset: 1 });
        expect([second.body.count, second.body.memories[0]?.id]).to.deep.equal([
          body.count,
          body.memories[1]?.id,
        ]);
        expect(await contents({ conversationId: "s", q: "zeppelin" })).to.deep.equal([]);
        expect(await contents({ conversationId: "s", q: " " })).to.have.length(4);
      },
    );

    verifies("memory:origin", "tells what the model stored from what the person stored by hand", async () => {
      const remember = (content: string) => ({ name: "store_memory", arguments: { content } });
      await play(stage, [calling(remember("The model says so")), saying("Done.")], { conversationId: "o" });
      await stage.host.json("POST", "/debug/mcp/execute", {
        tool: "store_memory",
        arguments: { content: "The person says so" },
        conversationId: "o",
      });
      const { body } = await ask({ conversationId: "o" });
      expect(body.memories.map(({ content, origin }) => [content, origin])).to.deep.equal([
        ["The person says so", "user"],
        ["The model says so", "model"],
      ]);
    });

    verifies(
      "memory:origin",
      "tells which message of which conversation a memory came from, and tells the model",
      async () => {
        const { body: topic } = await stage.host.json<{ id: string }>("POST", "/api/topics", {
          name: `Shared ${type}`,
        });
        for (const id of ["giver", "taker"]) {
          await play(stage, saying("Hello."), { conversationId: id });
          await stage.host.json("POST", `/v1/conversations/${id}/attach-topic`, { topicId: topic.id });
        }
        const remember = { name: "store_memory", arguments: { content: "The gate code is 4711" } };
        const { body: run } = await play(stage, [calling(remember), saying("Done.")], {
          conversationId: "giver",
        });
        const said = (await messagesOf(stage.host, "giver")).findLast(({ role }) => role === "user") as
          (WireMessage & { readonly id: string; readonly timestamp: string }) | undefined;
        expect(said).to.include({ runId: run.service_metadata.run_id });
        const [memory] = (await ask({ topicId: topic.id })).body.memories as readonly (WireMemory & {
          source: Record<string, string>;
        })[];
        expect(memory?.source).to.deep.equal({
          conversationId: idOf("giver"),
          messageId: said?.id,
          at: said?.timestamp,
        });
        await play(stage, saying("4711."), { conversationId: "taker" }, "What is the gate code?");
        expect(newestUserText()).to.include("The gate code is 4711").and.include("from another conversation");
      },
    );
  });
