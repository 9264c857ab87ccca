import { expect } from "chai";
import { openStage, type Stage } from "../support/host.ts";
import { saying } from "../support/lab-stage.ts";
import { rememberedAt } from "../support/remembered.ts";
import { verifies } from "../support/verifies.ts";

interface WireMemory {
  readonly id: string;
  readonly content: string;
  readonly scopeId: string;
  readonly error?: { readonly code: string; readonly param?: string };
}
type Counts = Readonly<Record<string, number>>;
interface Listed {
  readonly memories: readonly WireMemory[];
  readonly count: number;
  readonly counts?: { readonly scope: Counts; readonly origin: Counts; readonly kind: Counts };
}

const none = "00000000-0000-4000-8000-000000000000";

for (const type of ["memory", "sqlite"] as const)
  describe(`POST /api/memories, and counts, on ${type} storage`, () => {
    let stage: Stage;
    let now = Date.now();
    before(async () => {
      stage = await openStage(saying("Fine."), {
        settings: { storage: { type } },
        clock: { now: () => now },
      });
    });
    after(() => stage.end());
    beforeEach(async () => {
      stage.provider.play(saying("Fine."));
      for (const { scopeId } of (await list({ limit: "1000" })).memories)
        await stage.host.services.memory!.deleteScope(scopeId);
    });
    const { store, share, say, notes, idOf } = rememberedAt(() => stage);

    const create = (body: unknown) => stage.host.json<WireMemory>("POST", "/api/memories", body);
    const list = async (query: Readonly<Record<string, string>> = {}): Promise<Listed> => {
      const { body } = await stage.host.json<Listed>(
        "GET",
        `/api/memories?${new URLSearchParams(query).toString()}`,
      );
      return body;
    };

    verifies("memories:create", "stores what a person writes, and the model is given it", async () => {
      await say("c", "Hello");
      const { status, body } = await create({
        content: "The cat is called Minka",
        conversation_id: "c",
        contentType: "pet",
        tags: ["home"],
        context: "animals",
        importance: 0.9,
        origin: "model",
        kind: "pattern",
      });
      expect(status).to.equal(201);
      expect(body).to.deep.include({
        content: "The cat is called Minka",
        scopeKind: "conversation",
        scopeId: idOf("c"),
        kind: "memory",
        contentType: "pet",
        tags: ["home"],
        context: "animals",
        importance: 0.9,
        confidence: 1,
        origin: "user",
        source: {
          conversationId: idOf("c"),
          messageId: null,
          at: (body as object as { createdAt: string }).createdAt,
        },
      });
      expect((await stage.host.json("GET", `/api/memories/${body.id}`)).body).to.deep.equal(body);
      await say("c", "What is the cat called?");
      expect(notes().join()).to.include("Minka").and.not.include("origin:");
    });

    verifies("memories:create", "stores in a topic, by its id or a conversation that shares it", async () => {
      await say("one", "Hello");
      const topic = await share(`Boats ${type}`, "one");
      const byTopic = await create({ content: "The mast is new", topicId: topic.toUpperCase() });
      const byConversation = await create({ content: "The sail is old", conversationId: "one" });
      for (const { status, body } of [byTopic, byConversation])
        expect([status, body.scopeId, (body as object as { scopeKind: string }).scopeKind]).to.deep.equal([
          201,
          topic,
          "topic",
        ]);
      expect(byTopic.body).to.deep.include({ source: null });
      expect(byConversation.body).to.have.nested.property("source.conversationId", idOf("one"));
    });

    verifies(
      "memories:create",
      "gives back what is there already, as it is, however old, and in that scope alone",
      async () => {
        for (const id of ["d", "e"]) await say(id, "Hello");
        const [known] = await store("d", [{ content: "Tea is at four", origin: "model", tags: ["tea"] }]);
        now += 86_400_000;
        const again = await create({ content: " Tea is  at four\n", conversationId: "d", tags: ["x"] });
        expect([again.status, again.body.id]).to.deep.equal([200, known!.id]);
        expect(again.body).to.deep.include({ content: "Tea is at four", origin: "model", tags: ["tea"] });
        expect((await list()).count).to.equal(1);
        const elsewhere = await create({ content: "Tea is at four", conversationId: "e" });
        expect([elsewhere.status, elsewhere.body.scopeId]).to.deep.equal([201, idOf("e")]);
        const both = await Promise.all(
          ["d", "d"].map((conversationId) => create({ content: "Supper is at eight", conversationId })),
        );
        expect(both.map(({ status }) => status)).to.have.members([200, 201]);
        await stage.host.json("PATCH", `/api/memories/${known!.id}`, { content: "Tea is at five" });
        expect((await create({ content: "Tea is at five", conversationId: "d" })).body.id).to.equal(
          known!.id,
        );
        expect((await create({ content: "Tea is at four", conversationId: "d" })).status).to.equal(201);
      },
    );

    verifies(
      "memories:refused",
      "refuses what names no scope or a bad field, and stores nothing",
      async () => {
        await say("r", "Hello");
        const content = "x";
        for (const [body, status, code, param] of [
          [{ content }, 400, "missing_field", "conversationId"],
          [{ conversationId: "r" }, 400, "missing_field", "content"],
          [{ content, conversationId: "r", topicId: none }, 400, "invalid_value", "topicId"],
          [{ content: " \n", conversationId: "r" }, 400, "invalid_value", "content"],
          [{ content: 7, conversationId: "r" }, 400, "invalid_value", "content"],
          [{ content, conversationId: 7 }, 400, "invalid_value", "conversationId"],
          [{ content, conversationId: "r", tags: "x" }, 400, "invalid_value", "tags"],
          [{ content, conversationId: "r", importance: 2 }, 400, "out_of_range", "importance"],
        ] as const) {
          const answer = await create(body);
          const { error } = answer.body;
          expect([answer.status, error?.code, error?.param], JSON.stringify(body)).to.deep.equal([
            status,
            code,
            param,
          ]);
        }
        for (const body of [
          { content, conversationId: none },
          { content, topicId: none },
        ]) {
          const answer = await create(body);
          expect([answer.status, answer.body.error?.code], JSON.stringify(body)).to.deep.equal([
            404,
            "not_found",
          ]);
        }
        expect((await list()).count).to.equal(0);
      },
    );

    verifies(
      ["memories:list", "memories:counts"],
      "lists by origin, and counts by scope, origin and kind what other filters would find",
      async () => {
        await say("a", "Hello");
        await store("a", [
          "Red apples",
          { content: "Red pears", origin: "model" },
          { content: "Red plums", origin: "model", kind: "pattern", tags: ["t"] },
        ]);
        await store("b", [{ content: "Red figs", origin: "import" }, "Green tea"]);
        const [a, b] = [idOf("a"), idOf("b")];
        const origin = { user: 0, model: 0, tool: 0, import: 0 };
        const kind = { memory: 0, kv: 0, discovery: 0, solution: 0, pattern: 0 };
        expect(await list({ limit: "1" })).to.not.have.property("counts");
        const all = await list({ counts: "true", limit: "1" });
        expect([all.count, all.memories.length, all.counts]).to.deep.equal([
          5,
          1,
          {
            scope: { [a]: 3, [b]: 2 },
            origin: { ...origin, user: 2, model: 2, import: 1 },
            kind: { ...kind, memory: 4, pattern: 1 },
          },
        ]);
        const models = await list({ counts: "true", origin: "model", conversationId: "a" });
        expect(models.memories.map(({ content }) => content)).to.deep.equal(["Red plums", "Red pears"]);
        expect(models.counts).to.deep.equal({
          scope: { [a]: 2 },
          origin: { ...origin, user: 1, model: 2 },
          kind: { ...kind, memory: 1, pattern: 1 },
        });
        const tagged = await list({ counts: "true", tag: "t", kind: "memory" });
        expect([tagged.count, tagged.counts]).to.deep.equal([
          0,
          { scope: {}, origin, kind: { ...kind, pattern: 1 } },
        ]);
        const found = await list({ counts: "true", q: "red", origin: "import" });
        expect(found.memories.map(({ content }) => content)).to.deep.equal(["Red figs"]);
        expect(found.counts?.scope).to.deep.equal({ [b]: 1 });
        expect(found.counts?.origin).to.deep.equal({ ...origin, user: 1, model: 2, import: 1 });
        const refused = await stage.host.json<WireMemory>("GET", "/api/memories?origin=nobody");
        expect([refused.status, refused.body.error?.code]).to.deep.equal([400, "invalid_value"]);
      },
    );
  });
