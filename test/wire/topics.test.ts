import { existsSync } from "node:fs";
import { expect } from "chai";
import { endpointRequest } from "@pergola/sdk/testing";
import type { Stage } from "../support/host.ts";
import { openLab, play, runWith, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { topicsAt, type WireTopic } from "../support/topic-stage.ts";
import { verifies } from "../support/verifies.ts";

const nobody = "11111111-1111-4111-8111-111111111111";

describe("topics", () => {
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

  const { json, codeOf, make, show, names, say, detail, attach, detach, call } = topicsAt(() => stage);

  verifies(
    ["topics:records", "R03", "C22"],
    "are made once for a name, whatever its case, and keep what they are",
    async () => {
      const made = await json<WireTopic>("POST", "/api/topics", {
        name: "  Garden ",
        description: "Beds and beans",
      });
      expect(made.status).to.equal(201);
      expect(made.body).to.have.all.keys(
        "id name description created_at updated_at conversation_count".split(" "),
      );
      expect(made.body).to.include({ name: "Garden", description: "Beds and beans", conversation_count: 0 });
      expect(made.body.created_at).to.match(/^2026-01-01T00:.*Z$/);
      const again = await json<WireTopic>("POST", "/api/shared-topics", {
        name: "gARDEN",
        description: "Other",
      });
      expect([again.status, again.body]).to.deep.equal([200, made.body]);
      expect(await codeOf("POST", "/api/topics", {})).to.deep.equal([400, "missing_field", "name"]);
      for (const name of ["", "  ", "a\nb", "x".repeat(201)])
        expect(await codeOf("POST", "/api/topics", { name }), JSON.stringify(name)).to.deep.equal([
          400,
          "invalid_value",
          "name",
        ]);
      expect(await codeOf("POST", "/api/topics", { name: 7 })).to.deep.equal([400, "invalid_value", "name"]);
      expect(await names()).to.deep.equal(["Garden"]);
    },
  );

  verifies("topics:records", "are one when many ask for the same name at once", async () => {
    const asked = Array.from({ length: 12 }, (_, index) =>
      json<WireTopic>("POST", "/api/topics", { name: index % 2 ? "Rush" : " rush" }),
    );
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ body }) => body.id)).size).to.equal(1);
    expect(answers.filter(({ status }) => status === 201)).to.have.lengthOf(1);
    expect((await names()).filter((name) => name.toLowerCase() === "rush")).to.have.lengthOf(1);
  });

  verifies(
    ["topics:records", "R03"],
    "are listed by name, page by page, with the number of their conversations",
    async () => {
      const attic = await make("attic");
      for (const id of ["a1", "a2", "a3"]) await json("POST", "/v1/conversations", { id, topicId: attic.id });
      await detach("a3");
      const { body } = await json<{ topics: readonly WireTopic[]; count: number }>(
        "GET",
        "/api/topics?limit=2",
      );
      expect([body.topics.map(({ name }) => name), body.count]).to.deep.equal([["attic", "Garden"], 3]);
      expect(body.topics[0]?.conversation_count).to.equal(2);
      const rest = await json<{ topics: readonly WireTopic[] }>("GET", "/api/shared-topics?limit=2&offset=2");
      expect(rest.body.topics.map(({ name }) => name.toLowerCase())).to.deep.equal(["rush"]);
      const shown = await show(attic.id.toUpperCase());
      expect([shown.conversation_count, shown.conversations?.length, shown.id]).to.deep.equal([
        2,
        2,
        attic.id,
      ]);
      expect(shown.conversations?.[0]).to.include.all.keys("id", "title", "updated", "topicId");
      const listed = await json<{ count: number }>("GET", `/v1/conversations?topicId=${attic.id}`);
      expect(listed.body.count).to.equal(2);
      expect(await codeOf("GET", `/api/topics/${nobody}`)).to.deep.equal([404, "not_found"]);
      expect(await codeOf("GET", "/api/topics/%00")).to.deep.equal([404, "not_found"]);
    },
  );

  verifies(
    "topics:records",
    "are renamed to a free name, of which every conversation knows at once",
    async () => {
      const [old, taken] = [await make("Kitchen"), await make("Cellar")];
      await say("cook");
      await attach("cook", { topicId: old.id });
      expect(await codeOf("PATCH", `/api/topics/${old.id}`, { name: " cellar" })).to.deep.equal([
        409,
        "id_taken",
        "name",
      ]);
      const renamed = await json<{ success: boolean; topic: WireTopic }>("PATCH", `/api/topics/${old.id}`, {
        name: "Cookery",
      });
      expect(renamed.body).to.deep.include({ success: true });
      expect(renamed.body.topic).to.include({
        name: "Cookery",
        conversation_count: 1,
        created_at: old.created_at,
      });
      expect(renamed.body.topic.updated_at > old.updated_at).to.equal(true);
      expect((await detail("cook")).settings.sharedTopicName).to.equal("Cookery");
      await say("cook", "And now?");
      expect(JSON.stringify(stage.provider.requests.at(-1)?.body)).to.contain("topic: Cookery");
      expect((await make("Kitchen")).id).to.not.equal(old.id);
      expect((await make("COOKERY")).id).to.equal(old.id);
      expect(
        (
          await json<object>("PATCH", `/api/shared-topics/${taken.id}`, {
            name: "CELLAR",
            description: "Cool",
          })
        ).status,
      ).to.equal(200);
      expect(await show(taken.id)).to.include({ name: "CELLAR", description: "Cool" });
      expect(await codeOf("PATCH", `/api/topics/${nobody}`, { name: "x" })).to.deep.equal([404, "not_found"]);
      expect(await codeOf("PATCH", `/api/topics/${old.id}`, { name: "" })).to.deep.equal([
        400,
        "invalid_value",
        "name",
      ]);
    },
  );
  verifies(
    "topics:delete",
    "are deleted with their memory; conversations are detached and files stay",
    async () => {
      const topic = await make("Doomed");
      for (const id of ["left", "right"]) await json("POST", "/v1/conversations", { id, topicId: topic.id });
      await call("left", "store_memory", { content: "The old boat is blue" });
      await call("left", "write_file", { filePath: "a.txt", content: "x" });
      const file = `${(await detail("left")).workingDirectory}/a.txt`;
      expect((await call("right", "search_memory", { query: "boat" })).data).to.contain("blue");
      expect((await json("DELETE", `/api/topics/${topic.id.toUpperCase()}`)).body).to.deep.equal({
        success: true,
      });
      for (const id of ["left", "right"]) {
        expect(await detail(id)).to.include({ topicId: null });
        expect((await detail(id)).settings).to.include({
          useSharedData: false,
          sharedTopicId: null,
          sharedTopicName: null,
        });
      }
      expect(existsSync(file)).to.equal(true);
      expect((await stage.host.services.memory!.list({ scope: topic.id })).count).to.equal(0);
      expect(
        await stage.host.services.memory!.search({ query: "boat", scopes: [topic.id], threshold: 0 }),
      ).to.deep.equal([]);
      expect(await codeOf("DELETE", `/api/topics/${topic.id}`)).to.deep.equal([404, "not_found"]);
      expect(await names()).to.not.include("Doomed");
      expect((await make("Doomed")).id).to.not.equal(topic.id);
    },
  );

  verifies("topics:delete", "take their own folder along when that is asked for", async () => {
    const topic = await make("Files");
    await json("POST", "/v1/conversations", { id: "files", topicId: topic.id });
    await call("files", "write_file", { filePath: "a.txt", content: "x" });
    const folder = (await detail("files")).workingDirectory;
    await json("DELETE", "/v1/conversations/files?deleteFiles=true");
    expect(existsSync(`${folder}/a.txt`)).to.equal(true);
    await json("DELETE", `/api/shared-topics/${topic.id}?deleteFiles=true`);
    expect(existsSync(folder)).to.equal(false);
  });

  verifies("topics:delete", "that hold many conversations leave none of them attached", async () => {
    const topic = await make("Many");
    const { conversations } = stage.host.services;
    const ids = Array.from({ length: 1203 }, (_, index) => `many-${index}`);
    for (const id of ids)
      await conversations.create({ id, title: id, topicId: topic.id }, endpointRequest().caller);
    expect((await show(topic.id)).conversation_count).to.equal(1203);
    await json("DELETE", `/api/topics/${topic.id}`);
    expect((await conversations.list({ topicId: topic.id })).count).to.equal(0);
    expect(await detail("many-1202")).to.include({ topicId: null });
  });

  verifies(
    "topics:delete",
    "lose to a chat that comes at the same time, or win, and never half",
    async () => {
      for (let round = 0; round < 8; round++) {
        const topic = await make(`Race ${round}`);
        await json("POST", "/v1/conversations", { id: `race-${round}`, topicId: topic.id });
        const [, deleted] = await Promise.all([
          say(`race-${round}`),
          json("DELETE", `/api/topics/${topic.id}`),
        ]);
        const { topicId } = await detail(`race-${round}`);
        expect([deleted.status, topicId]).to.be.deep.oneOf([
          [200, null],
          [409, topic.id],
        ]);
        await runWith(stage.host, `race-${round}`, "ended");
      }
    },
  );

  it("are left out of the conversations of sub-agents when these are counted", async () => {
    const topic = await make("Hidden");
    const { conversations } = stage.host.services;
    await conversations.create({ id: "agent", hidden: true, topicId: topic.id }, endpointRequest().caller);
    expect(await show(topic.id)).to.deep.include({ conversation_count: 0, conversations: [] });
    await json("DELETE", `/api/topics/${topic.id}`);
    expect(await detail("agent")).to.include({ topicId: null });
  });

  it("play no part in a chat that names none", async () => {
    const { body } = await play(stage, [saying("Well.")], { topic: "" });
    expect(await detail(body.service_metadata.conversation_id)).to.include({ topicId: null });
  });
});
