import { expect } from "chai";
import fc from "fast-check";
import { allChunks, chatReply, contentOf, type ScriptTurn } from "@pergola/sdk/testing";
import { chat, user, type WireMessage } from "../support/chat.ts";
import type { Stage } from "../support/host.ts";
import { openLab } from "../support/lab-stage.ts";

const seed = Number(process.env["SEED"] ?? 1);
const count = Number(process.env["RUNS"] ?? 24);

/** What the model says in one round of a run, and how many calls of whose tools follow. */
interface Round {
  readonly text: string;
  readonly own: number;
  readonly callers: number;
}

/** What a client does next; `at` chooses a turn. */
interface Step {
  readonly kind: "say" | "edit" | "again" | "below" | "two pages";
  readonly at: number;
  readonly question: string;
  readonly rounds: readonly Round[];
  readonly last: string;
  readonly isCut: boolean;
  readonly isWhole: boolean;
}

interface Call {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message as the routes hand it out. */
interface Read {
  readonly id: string;
  readonly parentMessageId: string | null;
  readonly role: string;
  readonly content: string | null;
  readonly visible?: boolean;
  readonly isActive?: boolean;
  readonly toolCalls?: readonly Call[];
  readonly toolCallId?: string;
  readonly streamedText?: string;
}

const words = fc.constantFrom(
  "yes",
  "no",
  "go on",
  "look  at\nthat",
  "Let me check.",
  "café",
  "**so** it is",
);
const round: fc.Arbitrary<Round> = fc.record({
  text: fc.oneof(fc.constantFrom("", "  "), words),
  own: fc.nat(2),
  callers: fc.constantFrom(0, 0, 1, 2),
});
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("say", "say", "say", "edit", "again", "below", "two pages"),
  at: fc.nat(9),
  question: words,
  rounds: fc.array(round, { maxLength: 3 }),
  last: words,
  isCut: fc.boolean(),
  isWhole: fc.boolean(),
});

const lookUp = {
  type: "function",
  function: { name: "look_up", parameters: { type: "object", properties: { q: { type: "string" } } } },
};
const tools = [lookUp, { type: "function", function: { name: "lab" } }];

const textbook = ({ role, content, toolCalls, toolCallId }: Read): WireMessage => ({
  role,
  content,
  ...(toolCalls && toolCalls.length > 0 && { tool_calls: toolCalls }),
  ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
});

const asText = ({ role, content }: Read): WireMessage => ({
  role: role === "tool" ? "assistant" : role,
  content: content ?? "",
});

/** The forms in which a client sends back what it has read. */
const forms: Readonly<Record<string, (read: readonly Read[]) => readonly object[]>> = {
  "in the textbook form": (read) => read.map(textbook),
  "as it was handed out": (read) => read,
  "as text alone": (read) => read.map(asText),
  "as what the person and the assistant say": (read) =>
    read
      .filter(({ role, content }) => role !== "tool" && (content ?? "").trim() !== "")
      .map(({ role, content }) => ({ role, content })),
};

describe(`${count} conversations sent back over HTTP (seed ${seed})`, function () {
  this.timeout(600_000);
  let stage: Stage;
  before(async () => {
    stage = await openLab();
  });
  after(() => stage.end());

  /** What the model answers to a run, from the round of that number on. */
  const scriptOf = ({ rounds, last, isCut }: Step, from: number): readonly ScriptTurn[] => {
    const turns: ScriptTurn[] = [];
    for (const { text, own, callers } of rounds.slice(from)) {
      if (own + callers === 0) continue;
      const toolCalls = [
        ...Array.from({ length: own }, () => ({ name: "lab", arguments: { operation: "peek", name: "x" } })),
        ...Array.from({ length: callers }, () => ({ name: "look_up", arguments: { q: "x" } })),
      ];
      turns.push([...(text === "" ? [] : [{ text }]), { toolCalls }]);
      if (callers > 0) return turns;
    }
    const end: ScriptTurn = isCut ? [{ text: last }, { error: { status: 500 } }] : { text: last };
    return [...turns, end];
  };

  const read = async (id: string, query = ""): Promise<readonly Read[]> =>
    (await stage.host.json<{ messages?: readonly Read[] }>("GET", `/v1/conversations/${id}${query}`)).body
      .messages ?? [];

  /** The text that a client of the stream has seen, and the calls that it is to answer. */
  const stream = async (
    id: string,
    messages: readonly object[],
    script: readonly ScriptTurn[],
    more = {},
  ) => {
    stage.provider.play(script.map((turn) => chatReply(turn)));
    const body = { model: "default", conversationId: id, stream: true, tools, messages, ...more };
    const answer = await stage.host.request("POST", "/api/chat/completions", body);
    expect(answer.status, answer.status === 200 ? "" : await answer.clone().text()).to.equal(200);
    return contentOf(await allChunks(answer));
  };

  const openCallsOf = (messages: readonly Read[]): readonly string[] => {
    const answered = new Set(messages.map(({ toolCallId }) => toolCallId));
    const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
    const callers = calls.filter(({ id, function: { name } }) => name === "look_up" && !answered.has(id));
    return callers.map(({ id }) => id);
  };

  /** Plays a run, the caller's answers to its tools included. */
  const play = async (id: string, sent: readonly object[], one: Step, more = {}): Promise<void> => {
    await stream(id, sent, scriptOf(one, 0), more);
    let from = 0;
    for (;;) {
      const messages = await read(id);
      const open = openCallsOf(messages);
      if (open.length === 0) return;
      from = 1 + one.rounds.findIndex(({ callers }, index) => index >= from && callers > 0);
      const answers = open.map((call) => ({ role: "tool", tool_call_id: call, content: `found ${call}` }));
      const history = one.isWhole ? messages.map(textbook) : [];
      await stream(id, [...history, ...answers], scriptOf(one, from));
    }
  };

  const isTurn = ({ role, content }: Read): boolean => role === "user" && content !== null;

  const act = async (id: string, one: Step): Promise<void> => {
    const messages = await read(id);
    const users = messages.filter(isTurn);
    const chosen = users[one.at % users.length];
    if (chosen === undefined || one.kind === "say") return play(id, [user(one.question)], one);
    const at = messages.indexOf(chosen);
    const before = messages.slice(0, at).map(textbook);
    if (one.kind === "edit" && at > 0) return play(id, [...before, user(`${one.question}!`)], one);
    if (one.kind === "again" && at > 0) return play(id, [...before, textbook(chosen)], one);
    if (one.kind === "below")
      return play(id, [user(one.question)], one, { parentMessageId: chosen.parentMessageId });
    const [first, second] = [`first ${one.question}`, `second ${one.question}`];
    stage.provider.play(chatReply({ text: "Both." }));
    const sent = messages.map(textbook);
    await Promise.all(
      [first, second].map(async (text) => {
        const { status } = await chat(stage, { messages: [...sent, user(text)], conversationId: id, tools });
        expect(status).to.equal(200);
      }),
    );
    const all = (await read(id, "?view=all")).map(({ content }) => content);
    expect(all.filter((content) => content === first || content === second)).to.have.length.at.least(2);
  };

  /** What each route hands out of the active branch. */
  const routes: Readonly<Record<string, (id: string) => Promise<readonly Read[]>>> = {
    "the detail": (id) => read(id),
    "its turns": (id) => read(id, "?view=turns"),
    "its turns in pages": async (id) => {
      const pages: Read[] = [];
      for (let query = "?view=turns&limit=2"; ;) {
        const page = await read(id, query);
        const last = page.at(-1);
        if (last === undefined) return pages;
        pages.push(...page);
        query = `?view=turns&limit=2&after=${last.id}`;
      }
    },
    "the whole tree": async (id) => (await read(id, "?view=all")).filter(({ isActive }) => isActive),
    "an export": async (id) => {
      const path = `/v1/conversations/${id}/export`;
      const { body } = await stage.host.json<{
        conversation: { messages: readonly Read[]; activeMessageId: string };
      }>("GET", path);
      const byId = new Map(body.conversation.messages.map((message) => [message.id, message]));
      const branch: Read[] = [];
      for (let message = byId.get(body.conversation.activeMessageId); message !== undefined;) {
        branch.unshift(message);
        message = byId.get(message.parentMessageId ?? "");
      }
      return branch;
    },
  };

  let fresh = 0;
  const sendBack = async (id: string, route: string, form: string): Promise<void> => {
    const [before, all] = [await read(id), await read(id, "?view=all")];
    const handed = (await routes[route]?.(id)) ?? [];
    const question = `fresh ${(fresh += 1)}`;
    const sent = [...(forms[form]?.(handed) ?? []), user(question)];
    await stream(id, sent, [{ text: "Ok." }]);
    const name = `${route} ${form}: ${JSON.stringify(sent)} after ${JSON.stringify(before.map(textbook))}`;
    const contents = ({ content }: Read) => content;
    const after = await read(id);
    expect(after.map(contents), name).to.deep.equal([...before.map(contents), question, "Ok."]);
    expect((await read(id, "?view=all")).length, name).to.equal(all.length + 2);
  };

  it("H1, H2, H3: adds exactly the new turn, whichever route it was read by and whatever its form", async () => {
    let number = 0;
    let sentBack = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        const id = `00000000-0000-4000-8000-${String((number += 1)).padStart(12, "0")}`;
        for (const one of steps) {
          await act(id, one);
          const route = Object.keys(routes)[sentBack % 5] ?? "";
          await sendBack(id, route, Object.keys(forms)[(sentBack += 1) % 4] ?? "");
        }
        for (const route of Object.keys(routes))
          for (const form of Object.keys(forms)) await sendBack(id, route, form);
      }),
      { numRuns: count, seed },
    );
  });
});
