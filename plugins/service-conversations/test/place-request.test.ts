import { expect } from "chai";
import fc from "fast-check";
import { AppError, type ChatMessage, type Message } from "@pergola/sdk";
import { historyOf, placeRequest } from "../history/place-request.ts";
import { turnsOf, type Turn } from "../history/turns.ts";

/** One round of a run: what it says, the server's calls, the caller's calls. */
interface Round {
  readonly text: string;
  readonly own: number;
  readonly callers: number;
}

interface Exchange {
  readonly question: string;
  readonly rounds: readonly Round[];
  readonly last: string;
  readonly isCut: boolean;
}

/** Builds the stored messages of a conversation, as runs store them. */
class Branch {
  readonly messages: Message[] = [];
  #number = 0;

  add(message: Partial<Message> & Pick<Message, "role">): Message {
    const seq = this.messages.length + 1;
    const stored: Message = {
      id: `m${seq}`,
      conversationId: "c",
      seq,
      type: message.role === "user" ? "user" : "assistant",
      content: null,
      timestamp: "2026-01-01T00:00:00Z",
      runId: null,
      visible: true,
      ...message,
    };
    this.messages.push(stored);
    return stored;
  }

  next(): number {
    this.#number += 1;
    return this.#number;
  }

  play({ question, rounds, last, isCut }: Exchange): void {
    this.add({ role: "user", content: question });
    let runId = `run${this.next()}`;
    let streamed: string[] = [];
    for (const { text, own, callers } of rounds) {
      if (own + callers === 0) continue;
      if (text !== "") streamed.push(text);
      const ids = Array.from({ length: own + callers }, () => `call${this.next()}`);
      const toolCalls = ids.map((id, index) => ({
        id,
        name: "tool",
        arguments: "{}",
        providerId: `p-${id}`,
        ...(index >= own && { callers: true }),
      }));
      const content = text === "" ? null : text;
      const streamedText = streamed.join("\n\n");
      this.add({ role: "assistant", content, runId, toolCalls, visible: callers > 0, streamedText });
      for (const [index, toolCallId] of ids.entries())
        if (index < own)
          this.add({ role: "tool", content: `{"n":${this.next()}}`, runId, toolCallId, visible: false });
      for (const [index, toolCallId] of ids.entries())
        if (index >= own) this.add({ role: "tool", content: `answer ${toolCallId}`, toolCallId });
      if (callers > 0) [runId, streamed] = [`run${this.next()}`, []];
    }
    if (last === "") return;
    streamed.push(last);
    const completionReason = isCut ? "cancelled" : "workflow_complete";
    this.add({
      role: "assistant",
      content: last,
      runId,
      streamedText: streamed.join("\n\n"),
      completionReason,
    });
  }
}

const calls = ({ toolCalls }: Message, which: (callers: boolean) => boolean) => {
  const chosen = toolCalls?.filter(({ callers = false }) => which(callers)) ?? [];
  return chosen.length === 0
    ? {}
    : { toolCalls: chosen.map(({ id, name }) => ({ id, name, arguments: "{}" })) };
};

/** The forms in which clients send back what they have read. */
const forms: Readonly<Record<string, (messages: readonly Message[]) => readonly ChatMessage[]>> = {
  "every message, with calls and answers": (messages) =>
    messages.map((message) => ({
      role: message.role,
      content: message.content ?? "",
      ...calls(message, () => true),
      ...(message.toolCallId !== undefined && { toolCallId: message.toolCallId }),
    })),
  "every message as text of its role, tools' answers as the assistant's": (messages) =>
    messages.map(({ role, content }) => ({
      role: role === "tool" ? "assistant" : role,
      content: content ?? "",
    })),
  "visible turns alone": (messages) =>
    messages
      .filter(({ visible }) => visible)
      .map((message) => ({
        role: message.role,
        content: message.content ?? "",
        ...calls(message, (callers) => callers),
        ...(message.toolCallId !== undefined && { toolCallId: message.toolCallId }),
      })),
  "visible turns with all the text that was streamed": (messages) =>
    messages
      .filter(({ visible }) => visible)
      .map((message) => ({
        role: message.role,
        content: message.streamedText ?? message.content ?? "",
        ...calls(message, (callers) => callers),
        ...(message.toolCallId !== undefined && { toolCallId: message.toolCallId }),
      })),
  "texts of the person and the assistant alone": (messages) =>
    messages
      .filter(({ visible, role }) => visible && role !== "tool")
      .map(({ role, content }) => ({ role, content: content ?? "" })),
};

const words = fc.constantFrom("yes", "no", "go on", "look  at\nthat", "Let me check.", "café");
const round = fc.record({
  text: fc.oneof(fc.constant(""), words),
  own: fc.nat(2),
  callers: fc.oneof(fc.constant(0), fc.nat(2)),
});
const exchange = fc.record({
  question: words,
  rounds: fc.array(round, { maxLength: 3 }),
  last: words,
  isCut: fc.boolean(),
});

const place = (sent: readonly ChatMessage[], turns: readonly Turn[]) =>
  placeRequest(historyOf(sent), { first: turns, last: turns });

type StoredForm = ChatMessage & Partial<Pick<Message, "streamedText" | "completionReason">>;

describe("placing a request in its conversation", () => {
  for (const [name, form] of Object.entries(forms))
    it(`H1: adds only the new turn to a history sent back as ${name}`, () => {
      fc.assert(
        fc.property(fc.array(exchange, { minLength: 1, maxLength: 5 }), words, (exchanges, question) => {
          const branch = new Branch();
          exchanges.forEach((one) => branch.play(one));
          const fresh = { role: "user" as const, content: question };
          const placed = place([...form(branch.messages), fresh], turnsOf(branch.messages));
          expect(placed).to.deep.equal({ append: [fresh], abandonedCalls: [] });
        }),
        { numRuns: 2000 },
      );
    });

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

  it("C04, C21: stores nothing twice for a client that sends everything, edits and asks again", () => {
    const step = fc.record({ kind: fc.constantFrom("say", "retry", "edit"), at: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let active: Message[] = [];
        let view: ChatMessage[] = [];
        let number = 0;
        const make = (role: "user" | "assistant"): ChatMessage => ({
          role,
          content: `${role} ${(number += 1)}`,
        });
        for (const { kind, at } of steps) {
          const upTo = { say: view.length, retry: view.length - 1, edit: Math.floor(at / 2) * 2 }[kind] ?? 0;
          const sent = [...view.slice(0, Math.max(0, upTo)), ...(kind === "retry" ? [] : [make("user")])];
          if (sent.length === 0 || (sent.length === 1 && active.length > 0)) continue;
          const { append, below } = place(sent, turnsOf(active));
          if (below !== undefined)
            active = active.slice(0, active.findIndex(({ id }) => id === below.id) + 1);
          const branch = new Branch();
          branch.messages.push(...active);
          for (const { role, content } of append) branch.add({ role, content: content as string });
          const reply = make("assistant");
          branch.add({ role: "assistant", content: reply.content as string, runId: `run ${number}` });
          active = branch.messages;
          view = [...sent, reply];
          expect(active.map(({ content }) => content)).to.deep.equal(view.map(({ content }) => content));
        }
      }),
      { numRuns: 500 },
    );
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
