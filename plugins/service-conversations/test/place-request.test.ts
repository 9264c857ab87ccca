import { expect } from "chai";
import { AppError, type ChatMessage, type Message } from "@pergola/sdk";
import { placeRequest } from "../history/place-request.ts";
import { turnsOf, type Turn } from "../history/turns.ts";
import { Branch, place } from "./branches.ts";

type StoredForm = ChatMessage & Partial<Pick<Message, "streamedText" | "completionReason">>;

describe("placing a request in its conversation", () => {
  const user = (content: string): ChatMessage => ({ role: "user", content });
  const assistant = (content: string, ...ids: readonly string[]): ChatMessage => ({
    role: "assistant",
    content,
    ...(ids.length > 0 && { toolCalls: ids.map((id) => ({ id, name: "look_up", arguments: "{}" })) }),
  });
  const answer = (toolCallId: string, content = "found"): ChatMessage => ({
    role: "tool",
    toolCallId,
    content,
  });
  const stored = (
    ...messages: readonly (ChatMessage & Partial<Pick<Message, "streamedText" | "completionReason">>)[]
  ) => {
    const branch = new Branch();
    for (const { role, content, toolCalls, toolCallId, streamedText, completionReason } of messages)
      branch.add({
        role,
        content: typeof content === "string" ? content : null,
        ...(toolCalls && { toolCalls: toolCalls.map((call) => ({ ...call, callers: true })) }),
        ...(toolCallId !== undefined && { toolCallId }),
        ...(streamedText !== undefined && { streamedText }),
        ...(completionReason !== undefined && { completionReason }),
        ...(role === "assistant" && { runId: `run${branch.next()}` }),
      });
    return turnsOf(branch.messages);
  };
  const [u1, a1, u2, a2, u3] = [
    user("One?"),
    assistant("One."),
    user("Two?"),
    assistant("Two."),
    user("Three?"),
  ];
  const talk = stored(u1, a1, u2, a2);
  /** What is appended, and the number of the message below which a branch begins. */
  const outcome = (sent: readonly ChatMessage[], turns: readonly Turn[]) => {
    const { append, below } = place(sent, turns);
    return [append, below?.seq];
  };

  const rules: Readonly<
    Record<string, readonly [readonly ChatMessage[], readonly Turn[], readonly ChatMessage[], number?]>
  > = {
    "stores all of a new conversation": [[u1, a1, u2], [], [u1, a1, u2]],
    "appends one user message": [[u3], talk, [u3]],
    "appends one user message though it was said before": [[u1], talk, [u1]],
    "appends the tail of a whole history": [[u1, a1, u2, a2, u3], talk, [u3]],
    "appends the tail of a history without its beginning": [[u2, a2, u3], talk, [u3]],
    "finds the longest overlap": [[u1, a1, u1, a1, u2], stored(u1, a1, u1, a1), [u2]],
    "begins a branch below the turn before an edited one": [[u1, a1, u3], talk, [u3], 2],
    "begins a branch below a turn that is to be answered again": [[u1, a1, u2], talk, [], 3],
    "H2: begins a branch for a second page that has not seen the newest turn": [
      [u1, a1, user("Else?")],
      talk,
      [user("Else?")],
      2,
    ],
    "stores nothing when the whole history is sent again": [[u1, a1, u2, a2], talk, []],
    "stores nothing twice when a run left no answer": [[u1, a1, u2], stored(u1, a1, u2), []],
    "appends the last user message where nothing matches": [[user("Else"), a1, u3], talk, [u3]],
    "appends what follows the last user message": [
      [user("Else"), u3, assistant("So")],
      talk,
      [u3, assistant("So")],
    ],
    "H1: drops turns with neither text nor calls": [[u1, assistant(""), a1, u2, a2, u3], talk, [u3]],
  };
  for (const [name, [sent, turns, append, below]] of Object.entries(rules))
    it(name, () => expect(outcome(sent, turns)).to.deep.equal([append, below]));

  describe("turns are equal", () => {
    const streamed = { ...assistant("Then this."), streamedText: "First this.\n\nThen this." };
    const cut = {
      ...assistant("First this, then th"),
      streamedText: "First this, then th",
      completionReason: "cancelled",
    };
    const twins: readonly (readonly [string, boolean, ChatMessage, StoredForm])[] = [
      ["after composing letters", true, assistant("cafe\u0301"), assistant("café")],
      ["after collapsing white space", true, assistant(" One\n\n two "), assistant("One two")],
      ["only when the case is", false, assistant("one."), a1],
      ["by their parts' text", true, { role: "assistant", content: [{ type: "text", text: "One." }] }, a1],
      ["by the whole streamed text", true, assistant("First this.\n\nThen this."), streamed],
      ["by the last iteration's text", true, assistant("Then this."), streamed],
      ["not by the beginning of a whole answer", false, assistant("First thi"), streamed],
      ["by any beginning of a cut answer", true, assistant("First th"), cut],
      ["by a cut answer and its error", true, assistant("First this, then th\n\nError: Gone."), cut],
    ];
    for (const [name, expected, sent, turn] of twins)
      it(name, () => expect(place([u1, sent, u2], stored(u1, turn)).append.length === 1).to.equal(expected));

    it("by the call that a tool message answers", () => {
      const turns = stored(u1, assistant("", "call_1"), answer("call_1"), a1);
      const sent = [u1, assistant("", "call_1"), answer("call_1", "other text"), a1, u2];
      expect(place(sent, turns).append).to.deep.equal([u2]);
    });
  });

  describe("calls of the caller's tools", () => {
    const open = stored(u1, assistant("", "call_1", "call_2"));
    const failure = (sent: readonly ChatMessage[], turns: readonly Turn[]): string => {
      try {
        place(sent, turns);
      } catch (error) {
        return AppError.is(error) ? `${error.code}: ${error.message}` : "no AppError";
      }
      return "no failure";
    };

    it("are answered by tool messages alone, or by the whole history", () => {
      const answers = [answer("call_1"), answer("call_2")];
      for (const sent of [answers, [u1, assistant("", "call_1", "call_2"), ...answers]])
        expect(place(sent, open)).to.deep.equal({ append: answers, abandonedCalls: [] });
    });

    it("may stand behind their text, or one by one, as messages of their own", () => {
      const looked = stored(u1, assistant("I look.", "call_1", "call_2"));
      const calls = [assistant("", "call_1"), assistant("", "call_2")];
      const answers = [answer("call_1"), answer("call_2")];
      const sent = [u1, assistant("I look."), ...calls, ...answers];
      expect(place(sent, looked)).to.deep.equal({ append: answers, abandonedCalls: [] });
      const later = stored(u1, assistant("I look.", "call_1", "call_2"), ...answers, a1);
      expect(place([...sent, a1, u2], later)).to.deep.equal({ append: [u2], abandonedCalls: [] });
    });

    it("must all be answered", () => {
      expect(failure([answer("call_1")], open)).to.equal(
        "missing_tool_result: These tool calls are not answered: call_2.",
      );
      expect(failure([u1, assistant("", "call_1", "call_2")], open)).to.contain("call_1, call_2");
      expect(failure([u1, assistant("", "a", "b"), answer("a")], [])).to.contain(": b.");
    });

    it("must have been made", () => {
      expect(failure([answer("call_3")], open)).to.equal(
        'unknown_tool_call_id: No open tool call has the id "call_3".',
      );
      expect(failure([u1, answer("call_1")], [])).to.contain("unknown_tool_call_id");
    });

    it("are abandoned by a new user message, once", () => {
      expect(place([u2], open)).to.deep.equal({ append: [u2], abandonedCalls: ["call_1", "call_2"] });
      expect(place([answer("call_2"), u2], open).abandonedCalls).to.deep.equal(["call_1"]);
      const later = stored(u1, assistant("", "call_1"), u2);
      expect(place([u3], later).abandonedCalls).to.deep.equal([]);
    });

    it("may come with their answers in a new conversation", () => {
      const sent = [u1, assistant("", "a"), answer("a"), u2];
      expect(place(sent, []).append).to.deep.equal(sent);
    });
  });

  it("needs no more than the ends of a long conversation", () => {
    const messages = Array.from({ length: 400 }, (_, index) =>
      index % 2 === 0 ? user(`Q${index}`) : assistant(`A${index}`),
    );
    const turns = stored(...messages);
    const sent = [...messages.slice(-4), user("new")];
    expect(placeRequest(sent, { first: turns.slice(0, 25), last: turns.slice(-25) })).to.deep.equal({
      append: [user("new")],
      abandonedCalls: [],
    });
  });
});
