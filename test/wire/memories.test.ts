import type { JsonObject } from "@pergola/sdk";
import { expect } from "chai";
import { skipWithoutServer, storageTypes } from "../support/chosen-storage.ts";
import type { Stage } from "../support/host.ts";
import { openStage } from "../support/host.ts";
import { calling, messagesOf, play, saying, type WireMessage } from "../support/lab-stage.ts";
import { rememberedAt } from "../support/remembered.ts";
import { verifies } from "../support/verifies.ts";

interface WireMemory {
  readonly id: string;
  readonly content: string;
  readonly scopeId: string;
  readonly origin: string;
  readonly updatedAt: string;
  readonly similarity?: number;
}
interface Listed {
  readonly memories: readonly WireMemory[];
  readonly count: number;
  readonly error?: { readonly code: string; readonly param?: string };
}
interface Changed {
  readonly success: boolean;
  readonly memory: WireMemory;
  readonly error?: { readonly code: string; readonly param?: string };
}

for (const type of storageTypes)
  describe(`/api/memories on ${type} storage`, () => {
    skipWithoutServer(type);
    let stage: Stage;
    before(async () => {
      stage = await openStage(saying("Fine."), { settings: { storage: { type } } });
    });
    after(() => stage?.end());
    beforeEach(async () => {
      stage.provider.play(saying("Fine."));
      for (const { scopeId } of (await ask({ limit: 1000 })).body.memories)
        await stage.host.services.memory!.deleteScope(scopeId);
    });
    const { store, share, say, notes, newestUserText, idOf } = rememberedAt(() => stage);

    type Query = Readonly<Record<string, string | number>>;
    const ask = (query: Query = {}) =>
      stage.host.json<Listed>(
        "GET",
        `/api/memories?${new URLSearchParams(query as Record<string, string>).toString()}`,
      );
    const contents = async (query: Query = {}): Promise<readonly string[]> =>
      (await ask(query)).body.memories.map(({ content }) => content);
    const patch = (id: string, body: unknown) =>
      stage.host.json<Changed>("PATCH", `/api/memories/${id}`, body);
    const one = (id: string, method = "GET") =>
      stage.host.json<WireMemory & Changed>(method, `/api/memories/${id}`);

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
        ] as readonly Query[])
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

    verifies("memories:change", "changes single fields; search and the model follow at once", async () => {
      const [tea] = await store("c", [{ content: "She drinks green tea", tags: ["drinks"], origin: "tool" }]);
      const { status, body } = await patch(tea!.id, { content: "She drinks black coffee", importance: 1 });
      expect([status, body.success]).to.deep.equal([200, true]);
      expect(body.memory).to.deep.include({
        id: tea!.id,
        content: "She drinks black coffee",
        tags: ["drinks"],
        origin: "tool",
        importance: 1,
      });
      expect((await one(tea!.id)).body).to.deep.equal(body.memory);
      expect([await contents({ q: "green tea" }), await contents({ q: "black coffee" })]).to.deep.equal([
        [],
        ["She drinks black coffee"],
      ]);
      await say("c", "Does she drink green tea or black coffee?");
      expect(notes().join())
        .to.include("black coffee")
        .and.include("origin: tool")
        .and.not.include("green tea");
      expect(
        (
          await patch(tea!.id, {
            tags: ["hot"],
            context: "breakfast",
            content_type: "preference",
            confidence: 0,
          })
        ).status,
      ).to.equal(200);
      expect(await contents({ q: "breakfast", tag: "hot", contentType: "preference" })).to.deep.equal([
        "She drinks black coffee",
      ]);
      const now = (await patch(tea!.id, { context: null })).body.memory;
      expect(await contents({ q: "breakfast" })).to.deep.equal([]);
      for (const key of ["origin", "scopeId", "id", "createdAt", "similarity"])
        expect((await patch(tea!.id, { content: "She drinks milk", [key]: "x" })).status, key).to.equal(400);
      expect((await one(tea!.id)).body).to.deep.equal(now);
    });

    verifies(
      "memories:delete",
      "forgets for good: no list, no search, no model has it any more",
      async () => {
        const [gone] = await store("d", ["The parcel is at the neighbour's", "The parcel is heavy"]);
        expect(await one(gone!.id, "DELETE")).to.deep.include({ status: 200, body: { success: true } });
        expect((await one(gone!.id)).status).to.equal(404);
        expect([await contents(), await contents({ q: "parcel neighbour", threshold: 0 })]).to.deep.equal([
          ["The parcel is heavy"],
          ["The parcel is heavy"],
        ]);
        await say("d", "Where is the parcel?");
        expect(newestUserText()).to.include("heavy").and.not.include("neighbour");
      },
    );

    verifies(
      "memories:refused",
      "answers 404 for what there is not, and 400 for bad fields, and changes nothing",
      async () => {
        const [kept] = await store("r", ["As it was"]);
        const none = "00000000-0000-4000-8000-000000000000";
        for (const [method, path, body] of [
          ["GET", none],
          ["GET", "nonsense"],
          ["PATCH", none, { content: "x" }],
          ["PATCH", none, {}],
          ["DELETE", none],
        ] as const) {
          const answer = await stage.host.json<Changed>(method, `/api/memories/${path}`, body);
          expect([answer.status, answer.body.error?.code], `${method} ${path}`).to.deep.equal([
            404,
            "not_found",
          ]);
        }
        for (const [body, code, param] of [
          [{ content: "" }, "invalid_value", "content"],
          [{ content: " \n" }, "invalid_value", "content"],
          [{ content: null }, "invalid_value", "content"],
          [{ content: 7 }, "invalid_value", "content"],
          [{ contentType: "" }, "invalid_value", "contentType"],
          [{ tags: "x" }, "invalid_value", "tags"],
          [{ tags: [1] }, "invalid_value", "tags[0]"],
          [{ context: 1 }, "invalid_value", "context"],
          [{ importance: 1.1 }, "out_of_range", "importance"],
          [{ confidence: -1 }, "out_of_range", "confidence"],
          [{ content: "good", confidence: "1" }, "invalid_value", "confidence"],
        ] as const) {
          const answer = await patch(kept!.id, body);
          expect(
            [answer.status, answer.body.error?.code, answer.body.error?.param],
            JSON.stringify(body),
          ).to.deep.equal([400, code, param]);
        }
        expect((await one(kept!.id)).body).to.deep.include({
          content: "As it was",
          updatedAt: kept!.updatedAt,
        });
        for (const [query, status, code] of [
          [{ conversationId: none }, 404, "not_found"],
          [{ conversationId: none, topicId: none }, 400, "invalid_value"],
          [{ kind: "nothing" }, 400, "invalid_value"],
          [{ limit: 0 }, 400, "out_of_range"],
          [{ limit: "x" }, 400, "invalid_value"],
          [{ offset: -1 }, 400, "out_of_range"],
          [{ q: "x", threshold: 2 }, 400, "out_of_range"],
        ] as const) {
          const answer = await ask(query);
          expect([answer.status, answer.body.error?.code], JSON.stringify(query)).to.deep.equal([
            status,
            code,
          ]);
        }
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

describe("/api/memories without its plugin or its group", () => {
  verifies(["memories:refused", "http:groups"], "is a route that there is not", async () => {
    for (const settings of [
      { disabled: ["service-memory"] },
      { "endpoints.memories.enabled": false },
    ] as readonly JsonObject[]) {
      const stage = await openStage(saying("Fine."), { settings });
      const { status, body } = await stage.host.json<Listed>("GET", "/api/memories");
      await stage.end();
      expect([status, body.error?.code]).to.deep.equal([404, "route_not_found"]);
    }
  });
});
