import { expect } from "chai";
import * as fc from "fast-check";
import type { ChatMessage } from "@pergola/sdk";
import { repairMessages } from "../repair-messages.ts";
import { user } from "./support.ts";

const system = (content: string): ChatMessage => ({ role: "system", content });
const assistant = (content: string | null, ...ids: readonly string[]): ChatMessage => ({
  role: "assistant",
  content,
  ...(ids.length === 0 ? {} : { toolCalls: ids.map((id) => ({ id, name: "read", arguments: "{}" })) }),
});
const result = (toolCallId: string, content = "ok"): ChatMessage => ({
  role: "tool",
  toolCallId,
  name: "read",
  content,
});

const repaired = (...messages: readonly ChatMessage[]) => repairMessages(messages, { lateSystem: false });

describe("repairing a conversation", () => {
  it("leaves a sound one as it is", () => {
    const sound = [
      system("Be brief."),
      user("Read."),
      assistant(null, "a", "b"),
      result("a"),
      result("b"),
      assistant("Read."),
      user("Thanks."),
    ];
    expect(repaired(...sound)).to.deep.equal(sound);
  });

  it("makes one message of neighbours of one role", () => {
    expect(
      repaired(
        system("A"),
        system("B"),
        user("1"),
        user("2"),
        assistant("x"),
        assistant(null, "a"),
        result("a"),
      ),
    ).to.deep.equal([system("A\n\nB"), user("1\n\n2"), assistant("x", "a"), result("a")]);
  });

  it("keeps images when it joins", () => {
    const image = { type: "image_url", image_url: { url: "https://x.example/a.png" } } as const;
    expect(repaired(user([image]), user("What?"))).to.deep.equal([
      user([image, { type: "text", text: "What?" }]),
    ]);
  });

  it("does not join people of different names", () => {
    const [ann, ben] = [
      { ...user("Hi"), name: "ann" },
      { ...user("Hi"), name: "ben" },
    ];
    expect(repaired(ann, ben)).to.deep.equal([ann, ben]);
  });

  it("drops messages that say nothing", () => {
    expect(
      repaired(user("Hi"), assistant(""), user("  "), assistant(null), user([]), user("Still there?")),
    ).to.deep.equal([user("Hi\n\nStill there?")]);
  });

  it("takes developer for system", () => {
    const developer = { role: "developer", content: "Be brief." } as unknown as ChatMessage;
    expect(repaired(developer, user("Hi"))).to.deep.equal([system("Be brief."), user("Hi")]);
  });

  it("tells a late system message as the user's, where only the first may be one", () => {
    expect(repaired(system("A"), user("Hi"), system("B"))).to.deep.equal([system("A"), user("Hi\n\nB")]);
    expect(repaired(user(""), system("A"), user("Hi"))).to.deep.equal([system("A"), user("Hi")]);
    expect(repairMessages([user("Hi"), system("B")], { lateSystem: true })).to.deep.equal([
      user("Hi"),
      system("B"),
    ]);
  });

  it("tells a result without a call as text", () => {
    expect(repaired(user("Hi"), result("lost", "42"))).to.deep.equal([user("Hi\n\nResult of read:\n42")]);
  });

  it("answers a call that nobody answered", () => {
    const [, , answer] = repaired(user("Hi"), assistant(null, "a"), user("Well?"));
    expect(answer).to.include({ role: "tool", toolCallId: "a" });
    expect(JSON.parse(answer?.content as string)).to.include({ success: false });
  });

  it("puts results behind their calls, in the order of the calls", () => {
    expect(
      repaired(user("Hi"), assistant(null, "a", "b"), result("b", "2"), user("Wait."), result("a", "1")),
    ).to.deep.equal([
      user("Hi"),
      assistant(null, "a", "b"),
      result("a", "1"),
      result("b", "2"),
      user("Wait."),
    ]);
  });

  it("keeps calls apart that share an id", () => {
    const messages = [
      user("Hi"),
      assistant(null, "call_1"),
      result("call_1", "first"),
      assistant(null, "call_1"),
      result("call_1", "second"),
    ];
    expect(repaired(...messages)).to.deep.equal(messages);
  });

  it("does not let a result be empty", () => {
    expect(repaired(user("Hi"), assistant(null, "a"), result("a", ""))[2]).to.include({
      content: "(no output)",
    });
  });

  it("makes any conversation sound (200 random ones)", () => {
    const id = fc.constantFrom("a", "b", "c");
    const content = fc.constantFrom("", " ", "text");
    const message: fc.Arbitrary<ChatMessage> = fc.oneof(
      content.map(system),
      content.map(user),
      fc.tuple(content, fc.uniqueArray(id, { maxLength: 3 })).map(([text, ids]) => assistant(text, ...ids)),
      fc.tuple(id, content).map(([toolCallId, text]) => result(toolCallId, text)),
    );
    const isSound = (messages: readonly ChatMessage[]): boolean =>
      messages.every((current, at) => {
        const before = messages[at - 1];
        if (current.role === "tool") return before?.role === "tool" || before?.toolCalls !== undefined;
        const owed = current.toolCalls?.map((call) => call.id) ?? [];
        const paid = messages.slice(at + 1, at + 1 + owed.length).map(({ toolCallId }) => toolCallId);
        const answered = owed.every((id, index) => paid[index] === id);
        return (
          answered &&
          before?.role !== current.role &&
          (owed.length > 0 || (current.content as string).trim() !== "")
        );
      });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => isSound(repaired(...messages))),
      { numRuns: 200, seed: 7 },
    );
  });
});
