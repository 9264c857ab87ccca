import { expect } from "chai";
import fc from "fast-check";
import { type ChatMessage, type Message } from "@pergola/sdk";
import { turnsOf } from "../history/turns.ts";
import { Branch, place } from "./branches.ts";

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

describe("a history that a client sends back", () => {
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
});
