import { expect } from "chai";
import type { ChatMessage, ModelCall } from "@pergola/sdk";
import { SentBlocks } from "../../sdk/host/sent-blocks.ts";

const hour = 60 * 60_000;
const scene = { conversation: { id: "c" }, model: { contextWindow: 40_000 } };
const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant = (content: string): ChatMessage => ({ role: "assistant", content });

describe("blocks that were sent with earlier messages (W15)", () => {
  let now = 0;
  let sent: SentBlocks;
  beforeEach(() => {
    now = 1_800_000_000_000;
    sent = new SentBlocks(() => now);
  });

  /** The texts of a call with this block at its newest message. */
  function send(text: string, messages: readonly ChatMessage[], where = scene): readonly unknown[] {
    const call = { messages, tools: [] } as unknown as ModelCall;
    return sent
      .addTo(call, [{ text, index: messages.length - 1 }], where)
      .messages.map(({ content }) => content);
  }

  it("W15: stand where they stood", () => {
    expect(send("A", [user("one")])).to.deep.equal(["one\n\nA"]);
    expect(send("B", [user("one"), assistant("1"), user("two")])).to.deep.equal([
      "one\n\nA",
      "1",
      "two\n\nB",
    ]);
  });

  it("W15: stand where they stood though the newest message has none", () => {
    send("A", [user("one")]);
    expect(send("", [user("one"), user("two")])).to.deep.equal(["one\n\nA", "two"]);
    expect(send("C", [user("one"), user("two"), user("three")])).to.deep.equal([
      "one\n\nA",
      "two",
      "three\n\nC",
    ]);
  });

  it("W15: stand at any message of a run, and make the same message each time", () => {
    const messages = [user("one"), { role: "tool", content: "result" } as ChatMessage];
    const blocks = [
      { text: "A", index: 0 },
      { text: "late", index: 1 },
    ];
    const first = sent.addTo({ messages, tools: [] } as unknown as ModelCall, blocks, scene).messages;
    expect(first.map(({ content }) => content)).to.deep.equal(["one\n\nA", "result\n\nlate"]);
    const longer = { messages: [...messages, user("two")], tools: [] } as unknown as ModelCall;
    const then = sent.addTo(longer, [{ text: "B", index: 2 }], scene).messages;
    expect(then.slice(0, 2).map((message, at) => message === first[at])).to.deep.equal([true, true]);
  });

  it("W15: are told apart where messages say the same", () => {
    const again = user("go on");
    send("A", [again]);
    send("B", [again, again]);
    send("B", [again, again]);
    expect(send("C", [again, again, again])).to.deep.equal(["go on\n\nA", "go on\n\nB", "go on\n\nC"]);
  });

  it("W15: stand where they stood though an earlier message says the same, or is gone", () => {
    const history = [user("go on"), assistant("1"), user("go on"), assistant("2")];
    send("A", history.slice(0, 3));
    expect(send("B", [...history, user("two")])).to.deep.equal(["go on", "1", "go on\n\nA", "2", "two\n\nB"]);
    expect(send("C", [...history.slice(2), user("two"), user("three")])).to.deep.equal([
      "go on\n\nA",
      "2",
      "two\n\nB",
      "three\n\nC",
    ]);
  });

  it("W15: end where the history was changed, and belong to one conversation", () => {
    send("A", [user("one")]);
    send("B", [user("one"), user("two")]);
    const other = { ...scene, conversation: { id: "d" } };
    expect(send("C", [user("one"), user("two")], other)).to.deep.equal(["one", "two\n\nC"]);
    expect(send("C", [user("one"), user("2"), user("three")])).to.deep.equal(["one\n\nA", "2", "three\n\nC"]);
    sent.delete("c");
    expect(send("D", [user("one"), user("two")])).to.deep.equal(["one", "two\n\nD"]);
  });

  it("W15: are left out where they were made on another basis", () => {
    const call = { messages: [user("one")], tools: [] } as unknown as ModelCall;
    sent.addTo(call, [{ text: "A", index: 0 }], scene, "before it was forgotten");
    expect(send("B", [user("one"), user("two")])).to.deep.equal(["one", "two\n\nB"]);
  });

  it("W15: are left out an hour after the last call, when no cache holds them", () => {
    send("A", [user("one")]);
    now += hour;
    expect(send("B", [user("one"), user("two")])).to.deep.equal(["one\n\nA", "two\n\nB"]);
    now += hour + 1;
    expect(send("C", [user("one"), user("two"), user("3")])).to.deep.equal(["one", "two", "3\n\nC"]);
  });

  it("W15: are left out where they would fill the context, and in a small one", () => {
    const small = { ...scene, model: { contextWindow: 8191 } };
    send("A", [user("one")], small);
    expect(send("B", [user("one"), user("two")], small)).to.deep.equal(["one", "two\n\nB"]);
    sent.delete("c");
    const long = "x".repeat(4 * 4000);
    send(long, [user("one")]);
    send(long, [user("one"), user("two")]);
    expect(send("C", [user("one"), user("two"), user("3")])).to.deep.equal(["one", "two", "3\n\nC"]);
    const history = user("y".repeat(4 * 20_000));
    send("A", [history]);
    expect(send("B", [history, user("two")])).to.deep.equal([history.content, "two\n\nB"]);
  });
});
