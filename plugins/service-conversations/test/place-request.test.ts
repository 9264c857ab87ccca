import { expect } from "chai";
import fc from "fast-check";
import type { ChatMessage, Message } from "@pergola/sdk";
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
});
