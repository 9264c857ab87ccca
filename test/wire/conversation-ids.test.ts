import { expect } from "chai";
import { conversationIdOfAlias } from "@pergola/sdk/host";
import { chatReply, contentOf, allChunks } from "@pergola/sdk/testing";
import { chat, detailOf, storedTurns, user, type ChatAnswer } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

const uuid = (digit: number): string => `aaaaaaaa-0000-4000-8000-${String(digit).padStart(12, "0")}`;

describe("a conversation's id", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(undefined, { settings: { "runs.queue_seconds": 1 } });
  });
  after(() => stage.end());
  beforeEach(() => stage.provider.play(chatReply({ text: "Hello." })));

  const messages = [user("Hello")];
  const idOf = async (more: object, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await stage.host.request(
      "POST",
      "/api/chat/completions",
      { model: "default", messages, ...more },
      headers,
    );
    expect(answer.status).to.equal(200);
    const { service_metadata } = (await answer.json()) as ChatAnswer;
    expect(answer.headers.get("x-conversation-id")).to.equal(service_metadata.conversation_id);
    return service_metadata.conversation_id;
  };

  verifies(
    ["conversation:id-sources", "C08"],
    "is taken from five sources, the first that is not empty",
    async () => {
      const sources = {
        conversationId: uuid(1),
        conversation_id: uuid(2),
        session_id: uuid(3),
        context_id: uuid(4),
      };
      const header = { "x-session-id": uuid(5) };
      const names = Object.keys(sources) as (keyof typeof sources)[];
      for (const [index, name] of names.entries()) {
        const empty = Object.fromEntries(names.slice(0, index).map((other) => [other, ""]));
        const rest = Object.fromEntries(names.slice(index).map((other) => [other, sources[other]]));
        expect(await idOf({ ...empty, ...rest }, header), name).to.equal(sources[name]);
        expect(await idOf({ [name]: sources[name] }), `${name} alone`).to.equal(sources[name]);
      }
      const empty = Object.fromEntries(names.map((name) => [name, ""]));
      expect(await idOf(empty, header)).to.equal(uuid(5));
      expect(await idOf({}, header)).to.equal(uuid(5));
    },
  );

  verifies(["conversation:created", "C02"], "is made when there is none, and always returned", async () => {
    const [one, two] = [await idOf({}), await idOf({ conversationId: "" })];
    expect(one)
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.equal(two);
    expect((await detailOf(stage.host, one)).messageCount).to.equal(2);
    const given = "BBBBBBBB-0000-4000-8000-000000000001";
    expect(await idOf({ conversationId: given })).to.equal(given.toLowerCase());
    expect((await detailOf(stage.host, given)).id).to.equal(given.toLowerCase());
  });

  verifies(["conversation:created", "C02"], "stands in the first chunk of a stream", async () => {
    const answer = await stage.host.request("POST", "/api/chat/completions", {
      model: "default",
      messages,
      stream: true,
      conversationId: uuid(9),
    });
    expect(answer.headers.get("x-conversation-id")).to.equal(uuid(9));
    const [first, ...others] = await allChunks(answer);
    expect(first).to.include({ conversation_id: uuid(9), run_id: answer.headers.get("x-run-id") });
    for (const chunk of others) expect(chunk).to.not.have.property("conversation_id");
  });

  verifies(
    ["conversation:alias", "C09"],
    "may be any text, which always means the same conversation",
    async () => {
      for (const text of ["my chat", "x", "ünï/cödé ✓", "a".repeat(200)]) {
        const first = await idOf({ conversationId: text });
        expect(first).to.equal(conversationIdOfAlias(text));
        expect(first).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab]/);
        expect(await idOf({ session_id: text })).to.equal(first);
        const detail = await detailOf(stage.host, text);
        expect(detail).to.include({ id: first, alias: text, messageCount: 4 });
      }
    },
  );

  verifies(
    "conversation:invalid-id",
    "is 400 invalid_id when it is too long or holds control characters",
    async () => {
      for (const conversationId of ["a".repeat(201), "a\nb", "a\u0000b", "\u007f"]) {
        const { status, body } = await chat(stage, { messages, conversationId });
        expect([status, body.error.code, body.error.type], conversationId).to.deep.equal([
          400,
          "invalid_id",
          "invalid_request_error",
        ]);
      }
      const header = await stage.host.request(
        "POST",
        "/api/chat/completions",
        { model: "default", messages },
        { "x-session-id": "a".repeat(201) },
      );
      expect([header.status, ((await header.json()) as ChatAnswer).error.code]).to.deep.equal([
        400,
        "invalid_id",
      ]);
    },
  );

  verifies(["conversation:busy", "C26"], "lets a second request wait for the first", async () => {
    stage.provider.play([chatReply([{ delayMs: 200 }, { text: "One." }]), chatReply({ text: "Two." })]);
    const conversationId = uuid(20);
    const first = chat(stage, { messages: [user("First")], conversationId });
    const asked = stage.provider.requests.length;
    await stage.provider.request(asked);
    const second = chat(stage, { messages: [user("Second")], conversationId });
    expect([(await first).status, (await second).status]).to.deep.equal([200, 200]);
    expect(await storedTurns(stage.host, conversationId)).to.deep.equal([
      "user: First",
      "assistant: One.",
      "user: Second",
      "assistant: Two.",
    ]);
  });

  verifies(
    ["conversation:busy", "C26"],
    "is 409 conversation_busy for a request that waited in vain",
    async () => {
      stage.provider.play([chatReply([{ text: "One" }, { hang: true }])]);
      const conversationId = uuid(21);
      const first = await stage.host.request("POST", "/api/chat/completions", {
        model: "default",
        messages,
        conversationId,
        stream: true,
      });
      const { status, body } = await chat(stage, { messages: [user("Second")], conversationId });
      expect([status, body.error.code, body.error.type]).to.deep.equal([
        409,
        "conversation_busy",
        "invalid_request_error",
      ]);
      await stage.host.request("DELETE", `/api/runs/${first.headers.get("x-run-id")}`);
      expect(contentOf(await allChunks(first))).to.equal("One");
      expect(await storedTurns(stage.host, conversationId)).to.deep.equal(["user: Hello", "assistant: One"]);
    },
  );

  verifies(
    ["conversation:approval-pending", "C26"],
    "is 409 approval_pending at once while its run waits for the person",
    async () => {
      stage.provider.play([
        chatReply({ toolCalls: [{ name: "user_collaboration", arguments: { prompt: "Which?" } }] }),
        chatReply({ text: "Thanks." }),
      ]);
      const conversationId = uuid(22);
      const first = chat(stage, { messages, conversationId });
      let toolCallId: string | undefined;
      while (toolCallId === undefined) {
        const { body } = await stage.host.json<{ approvals: readonly { toolCallId: string }[] }>(
          "GET",
          `/api/approvals?conversationId=${conversationId}`,
        );
        toolCallId = body.approvals[0]?.toolCallId;
      }
      const begun = performance.now();
      const { status, body } = await chat(stage, { messages: [user("Second")], conversationId });
      expect(performance.now() - begun).to.be.below(900);
      expect([status, body.error.code, body.error.details]).to.deep.equal([
        409,
        "approval_pending",
        { toolCallId },
      ]);
      await stage.host.request("POST", "/api/chat/tool-response", { toolCallId, userResponse: "That one" });
      expect((await first).body.choices[0]?.message.content).to.equal("Thanks.");
    },
  );
});
