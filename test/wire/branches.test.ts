import { expect } from "chai";
import { chatReply, type ScriptTurn } from "@pergola/sdk/testing";
import { assistant, chat, detailOf, sentTurns, user, type WireMessage } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";

describe("a request without a conversation id (H4)", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.end());

  const lookUp = {
    type: "function",
    function: { name: "look_up", parameters: { type: "object", properties: { q: { type: "string" } } } },
  };
  const say = async (messages: readonly (WireMessage | object)[], script: ScriptTurn, more: object = {}) => {
    stage.provider.play([chatReply(script)]);
    const { status, body } = await chat(stage, { messages, tools: [lookUp], ...more });
    expect(status, JSON.stringify(body)).to.equal(200);
    return { id: body.service_metadata.conversation_id, message: body.choices[0]!.message };
  };
  const count = async () => (await stage.host.services.conversations.list({})).count;

  it("H4: continues the conversation whose history it repeats: an agent makes one for a task", async () => {
    const task = user("Fix the test");
    const first = await say(
      [task],
      [{ text: "I look." }, { toolCalls: [{ name: "look_up", arguments: { q: "test" } }] }],
    );
    const [call] = first.message["tool_calls"] as readonly { readonly id: string }[];
    const answer = { role: "tool", tool_call_id: call!.id, content: "found" };
    const second = await say([task, first.message, answer], { text: "It is fixed." });
    const third = await say([task, first.message, answer, second.message, user("Thanks")], {
      text: "Gladly.",
    });
    expect([second.id, third.id]).to.deep.equal([first.id, first.id]);
    expect(await count()).to.equal(1);
    expect(sentTurns(stage).map((turn) => turn.split(":")[0])).to.deep.equal([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect((await detailOf(stage.host, first.id)).messages.map(({ role }) => role)).to.deep.equal([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
      "assistant",
    ]);
  });

  it("H4: makes another one for a single message, for another history, and where it asks for one", async () => {
    const first = await say([user("Hi")], { text: "Hello." });
    const again = await say([user("Hi")], { text: "Hello again." });
    const other = await say([user("Hi"), assistant("Hey you."), user("What is up?")], { text: "All." });
    const asked = await say(
      [user("Hi"), assistant("Hello."), user("New")],
      { text: "Ok." },
      { service_config: { new_conversation: true } },
    );
    const ids = [first.id, again.id, other.id, asked.id];
    expect(new Set(ids).size).to.equal(4);
    const goesOn = await say([user("Hi"), assistant("Hello again."), user("Go on")], { text: "I do." });
    expect(goesOn.id).to.equal(again.id);
  });

  it("H4: continues the branch it repeats, though another one is active", async () => {
    const [a, b] = [user("A"), user("B")];
    const { id } = await say([a], { text: "One." });
    await say([a, assistant("One."), b], { text: "Two." });
    const edited = await say([a, assistant("One."), user("C")], { text: "Three." }, { conversationId: id });
    expect(edited.id).to.equal(id);
    const back = await say([a, assistant("One."), b, assistant("Two."), user("D")], { text: "Four." });
    expect(back.id).to.equal(id);
    expect((await detailOf(stage.host, id)).messages.map(({ content }) => content)).to.deep.equal([
      "A",
      "One.",
      "B",
      "Two.",
      "D",
      "Four.",
    ]);
    expect(await stage.host.services.conversations.branches(id)).to.have.lengthOf(2);
  });
});
