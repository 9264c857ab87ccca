import { expect } from "chai";
import { chatReply, type ScriptTurn } from "@pergola/sdk/testing";
import {
  chat,
  detailOf,
  sentBody,
  sentTurns,
  user,
  type ChatAnswer,
  type WireMessage,
} from "../support/chat.ts";
import type { Stage } from "../support/host.ts";
import { labCall, openLab } from "../support/lab-stage.ts";

const id = "22222222-0000-4000-8000-000000000001";
const lookUp = {
  type: "function",
  function: { name: "look_up", parameters: { type: "object", properties: { q: { type: "string" } } } },
};

describe("a request that names its parent message (H1, H2)", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openLab();
  });
  afterEach(() => stage.end());

  const post = (
    messages: readonly WireMessage[],
    more: object = {},
    script: ScriptTurn = { text: "Ok." },
  ) => {
    stage.provider.play([script].flat(0).map((turn) => chatReply(turn)));
    return chat(stage, { messages, conversationId: id, ...more });
  };
  const say = async (text: string, answer: string, more: object = {}) => {
    const { status, body } = await post([user(text)], more, { text: answer });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.service_metadata as ChatAnswer["service_metadata"] & {
      readonly branched_from?: string | null;
    };
  };
  const messages = async () => (await detailOf(stage.host, id)).messages;
  const contents = async () => (await messages()).map(({ content }) => content);
  const branches = async () => (await stage.host.services.conversations.branches(id)).length;
  const idOf = async (content: string) =>
    String((await messages()).find((message) => message.content === content)?.["id"]);

  it("H1: continues a branch below its last message, and begins one below another", async () => {
    await say("One?", "One.");
    await say("Two?", "Two.", { parentMessageId: await idOf("One.") });
    expect(await branches()).to.equal(1);
    const first = await idOf("One.");
    const { branched_from: from, warnings } = await say("Else?", "Else.", { parentMessageId: first });
    expect(from).to.equal(first);
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.match(/\b2 messages\b/);
    expect(await contents()).to.deep.equal(["One?", "One.", "Else?", "Else."]);
    expect(await branches()).to.equal(2);
    expect(sentTurns(stage)).to.deep.equal(["user: One?", "assistant: One.", "user: Else?"]);
    await say("Zero?", "Zero.", { service_config: { parentMessageId: null } });
    expect(await contents()).to.deep.equal(["Zero?", "Zero."]);
    expect(await branches()).to.equal(3);
  });

  it("H1: answers a message of the person anew without a message of its own", async () => {
    await say("One?", "One.");
    const question = await idOf("One?");
    const { status } = await post([], { parentMessageId: question }, { text: "Uno." });
    expect(status).to.equal(200);
    expect(sentTurns(stage)).to.deep.equal(["user: One?"]);
    expect(await contents()).to.deep.equal(["One?", "Uno."]);
    const wrong = [
      await post([], { parentMessageId: await idOf("Uno.") }),
      await post([], { parentMessageId: null }),
      await post([]),
    ];
    expect(wrong.map((answer) => [answer.status, answer.body.error.code])).to.deep.equal(
      wrong.map(() => [400, "invalid_value"]),
    );
  });

  it("H1: is 404 for a message that is not there, or in another conversation", async () => {
    await say("One?", "One.");
    const other = await stage.host.json("POST", "/v1/conversations", { id: "other" });
    expect(other.status).to.equal(201);
    for (const more of [
      { parentMessageId: "nobody" },
      { parentMessageId: await idOf("One."), conversationId: "other" },
      { parentMessageId: await idOf("One."), conversationId: "33333333-0000-4000-8000-000000000001" },
    ]) {
      const { status, body } = await post([user("Hi")], more);
      expect([status, body.error.code]).to.deep.equal([404, "not_found"]);
    }
    expect(await contents()).to.deep.equal(["One?", "One."]);
  });

  it("H2: is 409 at once while a run works in the conversation, as is the choice of a branch", async () => {
    await say("One?", "One.");
    const parentMessageId = await idOf("One.");
    let resolve = (): void => undefined;
    const until = new Promise<void>((free) => (resolve = free));
    const running = post([user("Two?")], {}, [{ until }, { text: "Two." }]);
    await stage.provider.request(1);
    for (const answer of [
      await chat(stage, { messages: [user("x")], conversationId: id, parentMessageId }),
      await stage.host.json<ChatAnswer>("PATCH", `/v1/conversations/${id}`, {
        activeMessageId: parentMessageId,
      }),
    ])
      expect([answer.status, answer.body.error.code]).to.deep.equal([409, "conversation_busy"]);
    resolve();
    expect((await running).status).to.equal(200);
    expect(await contents()).to.deep.equal(["One?", "One.", "Two?", "Two."]);
  });

  it("H1: closes calls that stay open on its branch, those of either side's tools", async () => {
    const script = [{ toolCalls: [labCall("peek", "x"), { name: "look_up", arguments: { q: "x" } }] }];
    const tools = [lookUp, { type: "function", function: { name: "lab" } }];
    await post([user("One?")], { tools }, script);
    const [, asking, peeked] = await messages();
    for (const parent of [asking, peeked]) {
      const { status, body } = await post([user("Never mind")], { tools, parentMessageId: parent?.["id"] });
      expect(status, JSON.stringify(body)).to.equal(200);
      const sent = sentBody(stage).messages.slice(-4);
      const calls = sent.flatMap((message) => (message["tool_calls"] ?? []) as readonly { id: string }[]);
      const answered = sent.map((message) => message["tool_call_id"]).filter((one) => one !== undefined);
      expect(calls.length).to.equal(2);
      expect(answered.toSorted()).to.deep.equal(calls.map((call) => call.id).toSorted());
    }
  });
});
