import type { JsonObject } from "@pergola/sdk";
import { expect } from "chai";
import { skipWithoutServer, storageTypes } from "../support/chosen-storage.ts";
import { openStage, type Stage } from "../support/host.ts";
import { saying } from "../support/lab-stage.ts";
import { memoriesAt, type ChangedMemory, type ListedMemories } from "../support/memory-routes.ts";
import { rememberedAt } from "../support/remembered.ts";
import { verifies } from "../support/verifies.ts";

for (const type of storageTypes)
  describe(`changes by /api/memories on ${type} storage`, () => {
    skipWithoutServer(type);
    let stage: Stage;
    const { store, say, notes, newestUserText } = rememberedAt(() => stage);
    const { ask, contents, patch, one, clear } = memoriesAt(() => stage);
    before(async () => {
      stage = await openStage(saying("Fine."), { settings: { storage: { type } } });
    });
    after(() => stage?.end());
    beforeEach(async () => {
      stage.provider.play(saying("Fine."));
      await clear();
    });

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
          const answer = await stage.host.json<ChangedMemory>(method, `/api/memories/${path}`, body);
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
  });

describe("/api/memories without its plugin or its group", () => {
  verifies(["memories:refused", "http:groups"], "is a route that there is not", async () => {
    for (const settings of [
      { disabled: ["service-memory"] },
      { "endpoints.memories.enabled": false },
    ] as readonly JsonObject[]) {
      const stage = await openStage(saying("Fine."), { settings });
      const { status, body } = await stage.host.json<ListedMemories>("GET", "/api/memories");
      await stage.end();
      expect([status, body.error?.code]).to.deep.equal([404, "route_not_found"]);
    }
  });
});
