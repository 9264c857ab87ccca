import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { calling, labCall, openLab, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { topicsAt } from "../support/topic-stage.ts";
import { verifies } from "../support/verifies.ts";
import { ask } from "../support/host.ts";

const nobody = "11111111-1111-4111-8111-111111111111";

describe("conversations attached to topics", () => {
  let stage: Stage;
  let now = Date.parse("2026-01-01T00:00:00Z");
  before(async () => {
    stage = await openLab([], {
      settings: { storage: { type: "sqlite" } },
      clock: { now: () => (now += 1000) },
    });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const { json, codeOf, make, show, say, detail, attach, detach, patch } = topicsAt(() => stage);

  verifies(
    ["topics:attach", "R02"],
    "are attached to the conversation that is named, by id or name, and detached again",
    async () => {
      const topic = await make("Attach");
      for (const id of ["first", "second"]) await say(id);
      const { status, body } = await attach("first", { topic: " attach " });
      const { id } = await detail("first");
      expect([status, body]).to.deep.equal([200, { success: true, conversationId: id, topicId: topic.id }]);
      const attached = {
        useSharedData: true,
        sharedTopicId: topic.id,
        sharedTopicName: "Attach",
      };
      expect((await detail("first")).settings).to.include(attached);
      expect((await detail("first")).settings).to.include({ sharedTopicAccess: null });
      expect(await detail("first")).to.include({ topicId: topic.id });
      expect(await detail("second")).to.include({ topicId: null });
      expect((await attach("second", { topic_id: topic.id.toUpperCase() })).body.topicId).to.equal(topic.id);
      expect((await show(topic.id)).conversation_count).to.equal(2);
      expect((await detach("first")).body).to.deep.equal({
        success: true,
        conversationId: id,
        topicId: null,
      });
      const detached = { useSharedData: false, sharedTopicId: null, sharedTopicName: null };
      expect((await detail("first")).settings).to.include(detached);
      expect((await show(topic.id)).conversation_count).to.equal(1);
      expect((await attach("first", { topicId: nobody })).status).to.equal(404);
      expect((await attach("first", { topic: "Nothing" })).status).to.equal(404);
      expect((await attach("unknown", { topicId: topic.id })).status).to.equal(404);
      expect((await detach("unknown")).status).to.equal(404);
      expect((await attach("first", {})).body.error).to.include({ code: "missing_field", param: "topicId" });
      expect((await attach("first", { topicId: topic.id, access: "own" })).body.error).to.include({
        code: "invalid_value",
        param: "access",
      });
    },
  );

  verifies(
    "topics:attach",
    "are not exchanged during a run, though settings that repeat what is so are taken",
    async () => {
      const topic = await make("Busy");
      await say("busy");
      await attach("busy", { topicId: topic.id });
      stage.provider.play([calling(labCall("peek", "held", { gate: true })), saying("Done.")]);
      const asked = json("POST", "/api/chat/completions", ask("Go", { conversationId: "busy" }));
      await lab.until("start held");
      const busy = async (work: Promise<{ status: number; body: { error?: { code: string } } }>) => {
        const { status, body } = await work;
        return [status, body.error?.code];
      };
      expect(await busy(attach("busy", { topicId: topic.id }))).to.deep.equal([409, "conversation_busy"]);
      expect(await busy(detach("busy"))).to.deep.equal([409, "conversation_busy"]);
      for (const settings of [{ sharedTopicId: null }, { sharedTopicAccess: "read" }])
        expect(await busy(patch("busy", { settings }))).to.deep.equal([409, "conversation_busy"]);
      const same = {
        sharedTopicId: topic.id,
        sharedTopicAccess: "write",
        sharedTopicName: "Mine",
        draftMessage: "x",
      };
      expect((await patch("busy", { settings: same })).status).to.equal(200);
      expect(await codeOf("DELETE", `/api/topics/${topic.id}`)).to.deep.equal([409, "in_use"]);
      lab.open("held");
      await asked;
      expect((await detail("busy")).settings).to.include({
        sharedTopicId: topic.id,
        sharedTopicName: "Busy",
      });
      expect((await detach("busy")).status).to.equal(200);
    },
  );

  verifies(
    "conversations:places",
    "are told by a conversation in two words, which always agree",
    async () => {
      const [one, two] = [await make("Place one"), await make("Place two")];
      await json("POST", "/v1/conversations", { id: "placed", settings: { sharedTopicId: one.id } });
      const place = async () => {
        const { topicId, settings } = await detail("placed");
        return [topicId, settings.sharedTopicId, settings.useSharedData];
      };
      expect(await place()).to.deep.equal([one.id, one.id, false]);
      await patch("placed", { settings: { useSharedData: true } });
      expect(await place()).to.deep.equal([one.id, one.id, true]);
      await patch("placed", { topicId: two.id.toUpperCase() });
      expect(await place()).to.deep.equal([two.id, two.id, true]);
      await patch("placed", { settings: { sharedTopicId: null } });
      expect(await place()).to.deep.equal([null, null, true]);
      await patch("placed", { topicId: one.id, settings: { useSharedData: false } });
      expect(await place()).to.deep.equal([one.id, one.id, false]);
      await patch("placed", { topicId: "" });
      expect(await place()).to.deep.equal([null, null, false]);
      const unknown = (body: object) => codeOf("PATCH", "/v1/conversations/placed", body);
      expect(await unknown({ topicId: nobody })).to.deep.equal([404, "not_found", "topicId"]);
      expect(await unknown({ folderId: nobody })).to.deep.equal([404, "not_found", "folderId"]);
      expect(await unknown({ settings: { sharedTopicId: "x" } })).to.deep.equal([
        404,
        "not_found",
        "sharedTopicId",
      ]);
      expect(await codeOf("POST", "/v1/conversations", { id: "unmade", topicId: nobody })).to.deep.equal([
        404,
        "not_found",
        "topicId",
      ]);
      expect((await json("GET", "/v1/conversations/unmade")).status).to.equal(404);
    },
  );
});
