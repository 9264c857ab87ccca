import { expect } from "chai";
import type { ConversationFields, EndpointAnswer, Route } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { createConversation } from "../routes/create-conversation.ts";
import { deleteConversation } from "../routes/delete-conversation.ts";
import { listConversations } from "../routes/list-conversations.ts";
import { updateConversation } from "../routes/update-conversation.ts";
import { conversation, id, preferences } from "./records.ts";

const bodyOf = (answer: EndpointAnswer): unknown =>
  "body" in answer ? JSON.parse(JSON.stringify(answer.body)) : undefined;

/** Services that take a change, and remember what they were given. */
function writing() {
  const given: unknown[] = [];
  const take = async (...args: readonly unknown[]) => {
    given.push(...args);
    return conversation;
  };
  const services = fakeServices({
    conversations: { scopeOf: () => id, create: take, update: take, activeRunId: () => null },
    runs: { list: async () => ({ items: [], count: 0 }) },
    topics: {},
    preferences,
  });
  return { services, given };
}

async function fieldsOf(route: Route, body: unknown): Promise<ConversationFields> {
  const { services, given } = writing();
  await route.handle(endpointRequest({ params: { conversationId: id }, body }), services);
  return given.find((one) => typeof one === "object") as ConversationFields;
}

describe("GET /v1/conversations", () => {
  it("gives summaries and the number of matches, and hands the query on", async () => {
    let asked: unknown;
    const list = async (filter: unknown) => {
      asked = filter;
      return { items: [conversation], count: 12 };
    };
    const query = { limit: 1, offset: 2, q: "app", includeHidden: false };
    const answer = await listConversations.handle(
      endpointRequest({ query }),
      fakeServices({ conversations: { list } }),
    );
    expect(asked).to.deep.equal(query);
    expect(bodyOf(answer)).to.deep.equal({
      conversations: [
        {
          id,
          title: "Apples",
          messageCount: 2,
          created: "2026-01-01T00:00:00.000Z",
          updated: "2026-01-02T00:00:00.000Z",
          folderId: null,
          topicId: null,
          isPinned: false,
          hidden: false,
          workingDirectory: "/data/workspaces/apples-6f9619ff",
        },
      ],
      count: 12,
    });
  });
});

describe("POST /v1/conversations", () => {
  it("answers 201 with the detail and no messages", async () => {
    const { services } = writing();
    const answer = await createConversation.handle(endpointRequest(), services);
    expect(answer).to.have.property("status", 201);
    expect(bodyOf(answer)).to.deep.include({ id, messages: [], activeRunId: null, sessionId: id });
  });

  it("turns the names of the body into the store's", async () => {
    const body = {
      id: "notes",
      title: "T",
      model: "a/b",
      systemPromptId: "autonomous",
      personalityId: "00000000-0000-0000-0000-000000000001",
      folderId: "",
      workingDirectory: "/srv/x",
      settings: { temperature: 0.2, unknown: 1 },
      isPinned: undefined,
    };
    expect(await fieldsOf(createConversation, body)).to.deep.equal({
      id: "notes",
      title: "T",
      model: "a/b",
      folderId: null,
      workingDirectory: "/srv/x",
      settings: {
        temperature: 0.2,
        selectedSystemPromptId: "autonomous",
        selectedPersonalityId: "00000000-0000-0000-0000-000000000001",
      },
    });
  });

  it("makes a conversation of an empty body", async () => {
    expect(await fieldsOf(createConversation, {})).to.deep.equal({});
  });
});

describe("PATCH /v1/conversations/{conversationId}", () => {
  it("answers with the changed conversation, without messages", async () => {
    const { services } = writing();
    const answer = await updateConversation.handle(
      endpointRequest({ params: { conversationId: "notes" }, body: { title: "T" } }),
      services,
    );
    const body = bodyOf(answer) as Record<string, object>;
    expect(body).to.include({ success: true, conversationId: id, title: "Apples", folderId: null });
    expect(body["conversation"]).to.have.property("sessionId", id);
    expect(body["conversation"]).not.to.have.property("messages");
  });

  it("gives only what the body says, settings key by key", async () => {
    const body = {
      isPinned: true,
      folderId: null,
      settings: { topP: 0.5 },
      enabledCustomInstructionIds: ["a"],
    };
    expect(await fieldsOf(updateConversation, body)).to.deep.equal({
      isPinned: true,
      folderId: null,
      enabledCustomInstructionIds: ["a"],
      settings: { topP: 0.5 },
    });
  });

  it("takes a setting back with null", async () => {
    const { settings } = await fieldsOf(updateConversation, {
      settings: { temperature: null, sharedTopicId: null },
      systemPromptId: null,
    });
    expect(settings).to.have.all.keys("temperature", "sharedTopicId", "selectedSystemPromptId");
    expect(JSON.stringify({ temperature: 1, ...settings })).to.equal("{}");
  });

  it("ignores fields that only a new conversation takes", async () => {
    expect(await fieldsOf(updateConversation, { id: "x", title: "T" })).to.deep.equal({ title: "T" });
  });

  it("hands ids of topics and folders on, an empty one as none", async () => {
    expect(await fieldsOf(updateConversation, { topicId: "t", folderId: "" })).to.deep.equal({
      topicId: "t",
      folderId: null,
    });
    expect(await fieldsOf(updateConversation, { topicId: "", folderId: "f" })).to.deep.equal({
      topicId: null,
      folderId: "f",
    });
  });

  it("lets the field's own name win over the one in settings", async () => {
    const { settings } = await fieldsOf(updateConversation, {
      systemPromptId: "minimal",
      settings: { selectedSystemPromptId: "default" },
    });
    expect(settings).to.deep.equal({ selectedSystemPromptId: "minimal" });
  });
});

describe("DELETE /v1/conversations/{conversationId}", () => {
  for (const deleteFiles of [true, false]) {
    it(`deletes by id or alias${deleteFiles ? ", with the files on request" : ""}`, async () => {
      const deleted: unknown[] = [];
      const remove = async (...args: readonly unknown[]) => void deleted.push(...args);
      const services = fakeServices({ conversations: { idOf: () => id, delete: remove } });
      const request = endpointRequest({ params: { conversationId: "notes" }, query: { deleteFiles } });
      expect(bodyOf(await deleteConversation.handle(request, services))).to.deep.equal({
        success: true,
        conversationId: id,
        id,
        object: "conversation.deleted",
        deleted: true,
      });
      expect(deleted).to.deep.equal([id, { deleteFiles }]);
    });
  }
});
