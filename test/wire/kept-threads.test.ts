import { expect } from "chai";
import fc from "fast-check";
import { newId, type ChatMessage, type RunRequest, type Storage } from "@pergola/sdk";
import { openStores, type Parts } from "@pergola/sdk/host";
import { endpointRequest } from "@pergola/sdk/testing";
import { silentLog } from "../support/memory-scene.ts";
import { openArchive } from "../../plugins/service-archive/archive.ts";
import { MemoryStorage } from "../../plugins/storage-memory/memory-storage.ts";
import { Conversations } from "../../plugins/service-conversations/conversations.ts";
import type { Thread } from "../../plugins/service-conversations/window/thread.ts";
import { Threads } from "../../plugins/service-conversations/window/threads.ts";

const id = "00000000-0000-4000-8000-000000000001";
const { caller } = endpointRequest();

/** Conversations as one process sees them. */
function processOn(storage: Storage): Conversations {
  let now = 0;
  const timestamp = () => new Date((now += 1000)).toISOString();
  const stores = openStores(storage);
  const parts = {
    stores,
    timestamp,
    log: silentLog,
    preferences: { get: () => 0 },
    archive: openArchive({ timestamp, stores }),
    runs: { activeIn: () => undefined, close: async () => ({ release: () => undefined }) },
    approvals: { cancelling: async () => ({ writes: [], tell: () => undefined }) },
    hooks: { conversationEnded: async () => undefined },
  } as unknown as Parts;
  const conversations = new Conversations(parts, new Threads(storage, { fewest: 1 }));
  Object.assign(parts, { conversations });
  return conversations;
}

/** What is asked of a model in a turn, and what it answers. */
interface Asked {
  readonly text: string;
  readonly below?: string | null;
  readonly calls: number;
  readonly contextWindow: number;
}

/** The messages that a model sees at the beginning of a turn, or why it sees none. */
async function beginTurn(conversations: Conversations, { text, below, contextWindow }: Asked) {
  const request = {
    conversationId: id,
    caller,
    messages: [{ role: "user", content: text }],
    sampling: {},
    customInstructions: [],
    ...(below !== undefined && { parentMessageId: below }),
  } as unknown as RunRequest;
  const { writes } = await conversations.openForRequest({ id: "run", request }, id, contextWindow);
  const seen = await conversations
    .fitWindow(id, { contextWindow, reserved: 100 })
    .then(structuredClone<readonly ChatMessage[]>, (error: Error) => error.message);
  return { writes, seen };
}

const answers = (calls: number) => {
  const ids = Array.from({ length: calls }, () => newId.uuid());
  const toolCalls = ids.map((call) => ({ id: call, name: "lab", arguments: "{}", providerId: `p-${call}` }));
  return [
    ...(calls === 0 ? [] : [{ role: "assistant", content: null, toolCalls, visible: false } as const]),
    ...ids.map((toolCallId) => ({ role: "tool", content: "done", toolCallId, visible: false }) as const),
    { role: "assistant", content: "That is done.", visible: true } as const,
  ].map((draft) => ({ type: "assistant" as const, runId: "run", ...draft }));
};

/** A turn that is stored; undefined where one begins that is refused. */
async function turn(storage: Storage, conversations: Conversations, asked: Asked, isRefused: boolean) {
  const expected = await beginTurn(processOn(storage), asked);
  const { writes, seen } = await beginTurn(conversations, asked);
  try {
    expect(seen).to.deep.equal(expected.seen);
    if (isRefused) return;
    const { commit } = openStores(storage);
    await commit(writes);
    await commit(conversations.append(id, answers(asked.calls)));
  } finally {
    conversations.release(id);
  }
}

type Step = (scene: {
  readonly storage: Storage;
  readonly own: Conversations;
  readonly other: Conversations;
  /** The id of a message. */
  readonly message: () => Promise<string | undefined>;
}) => Promise<unknown>;

const asked = fc.record({
  length: fc.integer({ min: 1, max: 900 }),
  calls: fc.nat(3),
  contextWindow: fc.constantFrom(2048, 8192, 100_000),
  isRefused: fc.boolean(),
});

const askOf = (length: number, more: Omit<Asked, "text">): Asked => ({
  text: `${newId.uuid()} ${"word ".repeat(length)}`,
  ...more,
});

/** Steps with another one before them: most of what happens to a conversation are turns. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: asked.map(
      ({ length, isRefused, ...more }): Step =>
        ({ storage, own }) =>
          turn(storage, own, askOf(length, more), isRefused),
    ),
  },
  asked.map(({ length, isRefused, ...more }): Step => async ({ storage, own, message }) => {
    const below = await message();
    const { role } = below === undefined ? { role: "" } : await own.message(id, below);
    if (role !== "assistant") return;
    await turn(storage, own, askOf(length, { ...more, below: below! }), isRefused).catch((error: Error) => {
      if (!/answered/.test(error.message)) throw error;
    });
  }),
  asked.map(({ length, ...more }): Step => ({ storage, other }) => {
    return turn(storage, other, askOf(length, more), false);
  }),
  fc.constantFrom<Step>(
    ({ own }) => own.addMessages(id, [{ role: "user", content: "By hand." }]),
    async ({ own, message }) => own.removeMessages(id, [(await message()) ?? ""]).catch(() => undefined),
    async ({ own, message }) => own.chooseBranch(id, (await message()) ?? "").catch(() => undefined),
    async ({ own, message }) => {
      const messageId = await message();
      if (messageId !== undefined) await own.updateMessage(id, messageId, { isPinned: true });
    },
    async ({ storage, message }) => {
      const { messages } = openStores(storage);
      const found = await messages.get((await message()) ?? "");
      if (found !== undefined) await messages.put({ ...found, content: "Changed by somebody else." });
    },
    async ({ own }) => {
      await own.delete(id, { deleteFiles: false });
      await own.create({ id }, caller);
    },
    ({ own }) => own.update(id, { title: newId.uuid() }, caller),
  ),
);

describe("a thread that is kept between turns", () => {
  it("P2h: is what a process that never saw the conversation reads, whatever happened to it", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat()), { minLength: 3, maxLength: 25 }), async (steps) => {
        const storage = new MemoryStorage(silentLog);
        const [own, other] = [processOn(storage), processOn(storage)];
        await own.create({ id }, caller);
        for (const [run, number] of steps) {
          const message = async () => {
            const all = await own.messages(id, { limit: 1000, allBranches: true });
            return all[number % Math.max(1, all.length)]?.id;
          };
          await run({ storage, own, other, message });
        }
        await turn(storage, own, askOf(1, { calls: 0, contextWindow: 100_000 }), false);
      }),
      { numRuns: 150 },
    )).timeout(120_000);

  it("P2h: is not read again, nor are its messages made again", async () => {
    const storage = new MemoryStorage(silentLog);
    const own = processOn(storage);
    await own.create({ id }, caller);
    const ask = () => beginTurn(own, askOf(1, { calls: 0, contextWindow: 100_000 }));
    const seen: (readonly ChatMessage[])[] = [];
    for (let count = 0; count < 3; count++) {
      const { writes } = await ask();
      seen.push([...(await own.fitWindow(id, { contextWindow: 100_000, reserved: 100 }))]);
      await openStores(storage).commit([...writes]);
      await openStores(storage).commit(own.append(id, answers(1)));
      own.release(id);
    }
    expect(seen.map(({ length }) => length)).to.deep.equal([1, 5, 9]);
    for (const [index, message] of seen[1]!.entries()) expect(seen[2]![index]).to.equal(message);
  });

  /** Uses a conversation: its thread, which gets a message of some 3,600 bytes. */
  function user(threads: Threads): (name: string, from: number) => Thread {
    const conversation = (name: string, nextSeq: number) =>
      ({ id: name, nextSeq, activeMessageId: `${name}-${nextSeq}` }) as never;
    return (name, from) => {
      const thread = threads.open(conversation(name, from));
      const message = { id: newId.uuid(), role: "user", seq: from, content: "x".repeat(1500), visible: true };
      threads.add(name, [message as never]);
      threads.close(conversation(name, from + 1));
      return thread;
    };
  }

  const unwatched = { watch: () => () => undefined };

  it("P2h: belongs to those that were used last, up to a number of bytes", () => {
    const use = user(new Threads(unwatched, { fewest: 1, most: 15_000 }));
    const [first, second] = [use("a", 1), use("b", 1)];
    expect(use("a", 2)).to.equal(first);
    use("c", 1);
    expect(use("a", 3)).to.equal(first);
    expect(use("b", 2)).to.not.equal(second);
  });

  it("P2h: is kept alone where it has more bytes than all may have, up to another number", () => {
    const use = user(new Threads(unwatched, { fewest: 1, most: 3000, largest: 10_000 }));
    const first = use("a", 1);
    expect(use("a", 2)).to.equal(first);
    const second = use("b", 1);
    expect(use("b", 2)).to.equal(second);
    expect(use("a", 3)).to.not.equal(first);
    expect(use("b", 3)).to.not.equal(second);
    const third = use("c", 1);
    expect([use("c", 2), use("c", 3)]).to.deep.equal([third, third]);
    expect(use("c", 4)).to.not.equal(third);
  });
});
