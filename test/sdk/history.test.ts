import { expect } from "chai";
import fc from "fast-check";
import { AppError, type ChatMessage } from "@pergola/sdk";
import { mergeHistory, messageText, type Merge, type StoredTurn } from "@pergola/sdk/host";

const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant = (content: string, ...ids: readonly string[]): ChatMessage => ({
  role: "assistant",
  content,
  ...(ids.length === 0 ? {} : { toolCalls: ids.map((id) => ({ id, name: "look_up", arguments: "{}" })) }),
});
const answer = (toolCallId: string, content = "found"): ChatMessage => ({
  role: "tool",
  toolCallId,
  content,
});

type Turn = ChatMessage & Pick<Partial<StoredTurn>, "streamedText" | "cut">;

/** KeyedQueue as they are stored, numbered from 1. */
const stored = (...messages: readonly Turn[]): readonly StoredTurn[] =>
  messages.map(({ toolCalls, ...message }, index) => ({
    ...message,
    seq: index + 1,
    content: messageText(message),
    ...(toolCalls === undefined ? {} : { callIds: toolCalls.map(({ id }) => id) }),
  }));

const merge = (sent: readonly ChatMessage[], turns: readonly StoredTurn[]): Merge =>
  mergeHistory(sent, turns, turns);
const failure = (sent: readonly ChatMessage[], turns: readonly StoredTurn[]): string => {
  try {
    merge(sent, turns);
  } catch (error) {
    return AppError.is(error) ? `${error.code}: ${error.message}` : "no AppError";
  }
  return "no failure";
};

const [u1, a1, u2, a2, u3] = [
  user("One?"),
  assistant("One."),
  user("Two?"),
  assistant("Two."),
  user("Three?"),
];
const talk = stored(u1, a1, u2, a2);
const done = { abandonedCalls: [] };

/** What the client sends, what is stored, and what comes of it. */
const rules: Readonly<Record<string, readonly [readonly ChatMessage[], readonly StoredTurn[], Merge]>> = {
  "stores all of a new conversation": [[u1, a1, u2], [], { ...done, append: [u1, a1, u2] }],
  "appends one user message": [[u3], talk, { ...done, append: [u3] }],
  "appends one user message though it was said before": [[u1], talk, { ...done, append: [u1] }],
  "appends the tail of a whole history": [[u1, a1, u2, a2, u3], talk, { ...done, append: [u3] }],
  "appends the tail of a history without its beginning": [[u2, a2, u3], talk, { ...done, append: [u3] }],
  "finds the longest overlap": [[u1, a1, u1, a1, u2], stored(u1, a1, u1, a1), { ...done, append: [u2] }],
  "supersedes what followed an edited turn": [[u1, a1, u3], talk, { ...done, append: [u3], keepUpTo: 2 }],
  "supersedes the answer that is asked for again": [[u1, a1, u2], talk, { ...done, append: [], keepUpTo: 3 }],
  "stores nothing when the whole history is sent again": [
    [u1, a1, u2, a2],
    talk,
    { ...done, append: [], keepUpTo: 4 },
  ],
  "stores nothing twice when a run left no answer": [
    [u1, a1, u2],
    stored(u1, a1, u2),
    { ...done, append: [], keepUpTo: 3 },
  ],
  "appends the last user message where nothing matches": [
    [user("Else"), a1, u3],
    talk,
    { ...done, append: [u3] },
  ],
  "appends what follows the last user message": [
    [user("Else"), u3, assistant("So")],
    talk,
    { ...done, append: [u3, assistant("So")] },
  ],
};

describe("history merge", () => {
  for (const [name, [sent, turns, expected]] of Object.entries(rules))
    it(name, () => expect(merge(sent, turns)).to.deep.equal(expected));

  describe("turns are equal", () => {
    const equal = (sent: ChatMessage, turn: Turn): boolean =>
      merge([u1, sent, u2], stored(u1, turn)).append.length === 1;
    const streamed = { ...assistant("Then this."), streamedText: "First this.\n\nThen this." };
    const cut = { ...assistant("First this, then th"), streamedText: "First this, then th", cut: true };
    const twins: readonly (readonly [string, boolean, ChatMessage, Turn])[] = [
      ["after composing letters", true, assistant("cafe\u0301"), assistant("café")],
      ["after collapsing white space", true, assistant(" One\n\n two "), assistant("One two")],
      ["only when the roles are", false, user("One."), a1],
      ["only when the case is", false, assistant("one."), a1],
      ["by their parts' text", true, { role: "assistant", content: [{ type: "text", text: "One." }] }, a1],
      ["by the whole streamed text", true, assistant("First this.\n\nThen this."), streamed],
      ["by the last iteration's text", true, assistant("Then this."), streamed],
      ["not by the beginning of a whole answer", false, assistant("First this."), streamed],
      ["by any beginning of a cut answer", true, assistant("First th"), cut],
      [
        "by a cut answer and the error that was streamed",
        true,
        assistant("First this, then th\n\nError: Gone."),
        cut,
      ],
      ["not by an empty beginning", false, assistant(""), cut],
    ];
    for (const [name, expected, sent, turn] of twins)
      it(name, () => expect(equal(sent, turn)).to.equal(expected));

    it("by the call that a tool message answers", () => {
      const turns = stored(u1, assistant("", "call_1"), answer("call_1"), a1);
      expect(
        merge([u1, assistant("", "call_1"), answer("call_1", "other text"), a1, u2], turns).append,
      ).to.deep.equal([u2]);
    });
  });

  describe("calls of the caller's tools", () => {
    const open = stored(u1, assistant("", "call_1", "call_2"));

    it("are answered by tool messages alone, or by the whole history", () => {
      const answers = [answer("call_1"), answer("call_2")];
      expect(merge(answers, open)).to.deep.equal({ ...done, append: answers });
      expect(merge([u1, assistant("", "call_1", "call_2"), ...answers], open)).to.deep.equal({
        ...done,
        append: answers,
      });
    });

    it("must all be answered", () => {
      expect(failure([answer("call_1")], open)).to.equal(
        "missing_tool_result: These tool calls are not answered: call_2.",
      );
      expect(failure([u1, assistant("", "call_1", "call_2")], open))
        .to.contain("missing_tool_result")
        .and.to.contain("call_1, call_2");
      expect(failure([u1, assistant("", "a", "b"), answer("a")], []))
        .to.contain("missing_tool_result")
        .and.to.contain(": b.");
    });

    it("must have been made", () => {
      expect(failure([answer("call_3")], open)).to.equal(
        'unknown_tool_call_id: No open tool call has the id "call_3".',
      );
      expect(failure([u1, answer("call_1")], [])).to.contain("unknown_tool_call_id");
      expect(
        failure([answer("call_1"), answer("call_2")], [...open, ...stored(u1, u1, u2, a2).slice(2)]),
      ).to.contain("unknown_tool_call_id");
    });

    it("are abandoned by a new user message", () => {
      expect(merge([u2], open)).to.deep.equal({ append: [u2], abandonedCalls: ["call_1", "call_2"] });
      expect(merge([answer("call_2"), u2], open).abandonedCalls).to.deep.equal(["call_1"]);
    });

    it("are abandoned once", () => {
      expect(merge([u3], [...open, ...stored(u1, u1, u2).slice(2)]).abandonedCalls).to.deep.equal([]);
    });

    it("are open again when what followed them is superseded", () => {
      const turns = stored(u1, assistant("", "call_1"), answer("call_1"), a1);
      expect(merge([u1, assistant("", "call_1"), u2], turns)).to.deep.equal({
        append: [u2],
        keepUpTo: 2,
        abandonedCalls: ["call_1"],
      });
    });

    it("may come with their answers in a new conversation", () => {
      const sent = [u1, assistant("", "a"), answer("a"), u2];
      expect(merge(sent, []).append).to.deep.equal(sent);
    });
  });

  describe("with any conversation", () => {
    const words = fc.constantFrom("yes", "no", "go on");
    const turn = fc.oneof(
      words.map(user),
      words.map((word) => assistant(word)),
    );
    const live = (
      turns: readonly StoredTurn[],
      { append, keepUpTo = Infinity }: Merge,
    ): readonly string[] => [
      ...turns.filter(({ seq }) => seq <= keepUpTo).map(({ role, content }) => `${role} ${content}`),
      ...append.map((message) => `${message.role} ${messageText(message)}`),
    ];
    const said = (messages: readonly ChatMessage[]): readonly string[] =>
      messages.map((message) => `${message.role} ${messageText(message)}`);

    it("ends with what the client sent, each turn once", () => {
      fc.assert(
        fc.property(
          fc.array(turn, { minLength: 1, maxLength: 8 }),
          fc.array(turn, { maxLength: 8 }),
          (sent, before) => {
            const turns = stored(...before);
            const result = merge(sent, turns);
            const whole = live(turns, result);
            const fresh = sent.slice(sent.length - result.append.length);
            expect(result.append).to.deep.equal(fresh);
            const known = whole.slice(-sent.length).join("|") === said(sent).join("|");
            const lastUser = Math.max(
              0,
              sent.findLastIndex(({ role }) => role === "user"),
            );
            if (!known) expect(fresh).to.deep.equal(sent.slice(lastUser));
          },
        ),
        { numRuns: 3000 },
      );
    });

    it("C04, C21: stores nothing twice for a client that sends everything, again and again", () => {
      const step = fc.oneof(
        fc.record({ kind: fc.constant("say" as const), at: fc.constant(0) }),
        fc.record({ kind: fc.constant("retry" as const), at: fc.constant(0) }),
        fc.record({ kind: fc.constant("edit" as const), at: fc.nat(20) }),
      );
      fc.assert(
        fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
          const records: StoredTurn[] = [];
          let view: ChatMessage[] = [];
          let number = 0;
          const fresh = (role: "user" | "assistant"): ChatMessage => ({
            role,
            content: `${role} ${(number += 1)}`,
          });
          const append = (message: ChatMessage): void => {
            records.push({ seq: records.length + 1, role: message.role, content: messageText(message) });
          };
          let dead = new Set<number>();
          for (const { kind, at } of steps) {
            const upTo = { say: view.length, retry: view.length - 1, edit: Math.floor(at / 2) * 2 }[kind];
            const sent = [...view.slice(0, Math.max(0, upTo)), ...(kind === "retry" ? [] : [fresh("user")])];
            if (sent.length === 0 || (sent.length === 1 && records.length > 0)) continue;
            const turns = records.filter(({ seq }) => !dead.has(seq));
            const { append: added, keepUpTo = Infinity } = merge(sent, turns);
            dead = new Set([...dead, ...turns.filter(({ seq }) => seq > keepUpTo).map(({ seq }) => seq)]);
            added.forEach(append);
            const reply = fresh("assistant");
            append(reply);
            view = [...sent, reply];
            const now = records.filter(({ seq }) => !dead.has(seq)).map(({ content }) => content);
            expect(now).to.deep.equal(view.map(messageText));
            expect(new Set(records.map(({ content }) => content)).size).to.equal(records.length);
          }
        }),
        { numRuns: 500 },
      );
    });
  });

  it("needs no more than the ends of a long conversation", () => {
    const turns = stored(
      ...Array.from({ length: 400 }, (_, index) =>
        index % 2 === 0 ? user(`Q${index}`) : assistant(`A${index}`),
      ),
    );
    const sent = [...turns.slice(-4).map(({ role, content }) => ({ role, content })), user("new")];
    expect(mergeHistory(sent, turns.slice(0, 25), turns.slice(-25))).to.deep.equal({
      append: [user("new")],
      abandonedCalls: [],
    });
  });
});
