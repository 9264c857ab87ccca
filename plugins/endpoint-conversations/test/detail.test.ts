import { expect } from "chai";
import { wireDetail, wireMessage, type Conversation, type EndpointAnswer, type Message } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { getConversation } from "../routes/get-conversation.ts";
import { conversation, id, message, preferences, reader, run } from "./records.ts";

const withId = (query = { messages: true, view: "active" }) =>
  endpointRequest({ params: { conversationId: "notes" }, query });

const services = (messages: readonly Message[], stored: Conversation = conversation, runs = [run]) => {
  const pages = reader(messages);
  const fake = fakeServices({
    conversations: {
      get: async () => stored,
      activeRunId: () => "run_2",
      scopeOf: () => id,
      messages: pages.messages,
    },
    runs: { list: async () => ({ items: runs, count: runs.length * 7 }) },
    preferences,
    topics: {},
  });
  return { fake, asked: pages.asked };
};

/** The answer as a client reads it, however it was sent. */
async function read(
  answer: EndpointAnswer,
): Promise<{ readonly json: Record<string, unknown>; readonly pieces: readonly string[] }> {
  if ("body" in answer)
    return { json: JSON.parse(JSON.stringify(answer.body)) as Record<string, unknown>, pieces: [] };
  const pieces: string[] = [];
  if ("chunks" in answer) for await (const chunk of answer.chunks) pieces.push(chunk);
  return { json: JSON.parse(pieces.join("")) as Record<string, unknown>, pieces };
}

describe("GET /v1/conversations/{conversationId}", () => {
  it("shows every field of the detail, what is set, and what is in force", async () => {
    const { json } = await read(
      await getConversation.handle(withId(), services([message(1, { parentMessageId: "m0" })]).fake),
    );
    expect(json).to.deep.equal({
      id,
      alias: "notes",
      title: "Apples",
      created: "2026-01-01T00:00:00.000Z",
      updated: "2026-01-02T00:00:00.000Z",
      messageCount: 2,
      model: "custom/m",
      messages: [
        {
          id: "m1",
          role: "user",
          type: "user",
          isFromUser: true,
          content: "text 1",
          timestamp: "2026-01-01T00:00:00.000Z",
          runId: null,
          parentMessageId: "m0",
        },
      ],
      settings: {
        selectedModel: "custom/m",
        temperature: null,
        topP: null,
        maxTokens: null,
        repetitionPenalty: null,
        contextWindowSize: null,
        selectedSystemPromptId: null,
        selectedPersonalityId: null,
        enableReasoning: null,
        enableTools: true,
        thinkingEffort: null,
        useSharedData: false,
        sharedTopicId: null,
        sharedTopicName: null,
        sharedTopicAccess: null,
        toolOverrides: null,
        draftMessage: null,
        showAdvancedParameters: null,
        scrollLockEnabled: null,
        personalityId: null,
        system_prompt_id: null,
        mini_prompt_ids: ["mini-1"],
      },
      effective: {
        selectedModel: "custom/m",
        temperature: 0.7,
        topP: 1,
        maxTokens: 2000,
        repetitionPenalty: 1,
        contextWindowSize: null,
        selectedSystemPromptId: "00000000-0000-0000-0000-000000000001",
        selectedPersonalityId: "00000000-0000-0000-0000-000000000001",
        enableReasoning: null,
        enableTools: true,
        thinkingEffort: null,
        useSharedData: false,
        sharedTopicId: null,
        sharedTopicName: null,
        sharedTopicAccess: "write",
        toolOverrides: {},
        draftMessage: "",
        showAdvancedParameters: false,
        scrollLockEnabled: false,
      },
      sessionId: id,
      object: "conversation",
      created_at: 1767225600,
      metadata: {},
      folderId: null,
      topicId: null,
      isPinned: false,
      hidden: false,
      isFromAPI: true,
      workingDirectory: "/data/workspaces/apples-6f9619ff",
      enabledCustomInstructionIds: ["mini-1"],
      activeRunId: "run_2",
      activeMessageId: "m1",
      performanceMetrics: {
        runCount: 7,
        runId: "run_1",
        iterations: 2,
        toolCallCount: 1,
        usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
        durationSeconds: 2.5,
      },
    });
  });

  it("leaves the messages out on request, and does not read them", async () => {
    const { fake, asked } = services([message(1)]);
    const { json } = await read(
      await getConversation.handle(withId({ messages: false, view: "active" }), fake),
    );
    expect(json).not.to.have.property("messages");
    expect(asked).to.deep.equal([]);
  });

  it("has no figures before the first run", async () => {
    const { json } = await read(await getConversation.handle(withId(), services([], conversation, []).fake));
    expect(json["performanceMetrics"]).to.equal(null);
    expect(json["messages"]).to.deep.equal([]);
  });

  for (const count of [199, 200, 201, 400, 1001]) {
    it(`sends ${count} messages once each, in order, a page at a time`, async () => {
      const messages = Array.from({ length: count }, (_, index) => message(2 * index + 1));
      const { fake, asked } = services(messages);
      const { json } = await read(await getConversation.handle(withId(), fake));
      expect((json["messages"] as Message[]).map((one) => one.id)).to.deep.equal(
        messages.map((one) => one.id),
      );
      expect(json["id"]).to.equal(id);
      expect(Math.max(...asked.map(({ limit }) => limit))).to.be.at.most(1000);
      expect(asked).to.have.length(Math.floor(count / 200) + 1);
    });
  }

  it("sends large messages in small pieces, whole characters each", async () => {
    const content = `${"x".repeat(65_535 - 400)}${"😀".repeat(200_000)}`;
    const messages = Array.from({ length: 200 }, (_, index) =>
      message(index + 1, { content: index === 3 ? content : "short" }),
    );
    const { json, pieces } = await read(await getConversation.handle(withId(), services(messages).fake));
    expect((json["messages"] as Message[])[3]?.content).to.equal(content);
    expect(Math.max(...pieces.map((piece) => piece.length))).to.be.at.most(65_537);
    expect(pieces.every((piece) => Buffer.from(piece).toString() === piece)).to.equal(true);
  });

  it("reads no further than the client does", async () => {
    const { fake, asked } = services(Array.from({ length: 100_000 }, (_, index) => message(index + 1)));
    const answer = await getConversation.handle(withId(), fake);
    if (!("chunks" in answer)) throw new Error("a long conversation must be sent in pieces");
    for await (const piece of answer.chunks) {
      expect(piece.length).to.be.greaterThan(0);
      break;
    }
    expect(asked.length).to.be.at.most(10);
  });
});

describe("settings on the wire", () => {
  const wireOf = (changes: Partial<Conversation>) =>
    wireDetail({ ...conversation, ...changes }, services([]).fake);

  it("H6: show what is set, and beside it the rest as it is in force", async () => {
    const settings = {
      temperature: 0,
      enableTools: false,
      selectedModel: "a/b",
      selectedSystemPromptId: "p",
      contextWindowSize: 4096,
    };
    const wire = await wireOf({ settings, enabledCustomInstructionIds: [] });
    expect(wire.settings).to.include({ ...settings, maxTokens: null, system_prompt_id: "p" });
    expect(wire.effective).to.include({ ...settings, maxTokens: 2000 });
  });

  it("fall back to the preferred model where the conversation has none", async () => {
    const { settings, effective } = await wireOf({ model: null });
    expect([settings.selectedModel, effective.selectedModel]).to.deep.equal([null, "embedded/guide"]);
  });
});

describe("a message on the wire", () => {
  const json = (more: Partial<Message>): unknown => JSON.parse(JSON.stringify(wireMessage(message(1, more))));
  const always = { id: "m1", parentMessageId: null, timestamp: "2026-01-01T00:00:00.000Z" };

  it("writes calls as a chat client knows them, and null for an assistant that only calls", () => {
    const toolCalls = [{ id: "call_1", name: "think", arguments: '{"thoughts":"x"}', providerId: "own" }];
    expect(
      json({
        role: "assistant",
        type: "assistant",
        content: null,
        toolCalls,
        runId: "run_1",
        reasoningContent: "hm",
      }),
    ).to.deep.equal({
      ...always,
      role: "assistant",
      type: "assistant",
      isFromUser: false,
      content: null,
      runId: "run_1",
      toolCalls: [
        { id: "call_1", type: "function", function: { name: "think", arguments: '{"thoughts":"x"}' } },
      ],
      reasoningContent: "hm",
    });
  });

  it("shows a tool message with its card, state and figures", () => {
    const display = {
      action: "think",
      actionDisplayName: "Think",
      summary: "x",
      details: [],
      icon: "brain",
    };
    const facts = {
      toolCallId: "call_1",
      toolName: "think",
      toolOperation: "think",
      toolStatus: "error",
      toolDuration: 12,
    };
    const metadata = { duration_ms: 12, error_code: "timeout" };
    const tool = {
      role: "tool",
      type: "toolExecution",
      content: "{}",
      runId: "run_1",
      visible: false,
    } as const;
    expect(json({ ...tool, ...facts, toolDisplayData: display, toolMetadata: metadata })).to.deep.equal({
      ...always,
      role: "tool",
      type: "toolExecution",
      isFromUser: false,
      content: "{}",
      runId: "run_1",
      ...facts,
      toolDisplayData: { ...display, status: "error", metadata },
      toolMetadata: metadata,
      isToolMessage: true,
    });
  });

  it("keeps what is the service's own to itself", () => {
    const own = { streamedText: "s", completionReason: "error", extra: { reasoning_blocks: [] } };
    expect(json(own)).not.to.have.any.keys(
      "streamedText",
      "completionReason",
      "extra",
      "seq",
      "visible",
      "conversationId",
    );
  });
});
