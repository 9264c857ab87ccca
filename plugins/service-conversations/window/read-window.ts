import type { Conversation, Message } from "@pergola/sdk";
import type { ArchiveRecord, Parts } from "@pergola/sdk/host";
import { entryMaker, tokensOf, unitsOf, withCalls, type Entry } from "./entries.ts";

/** Messages read at a time. */
const pageSize = 200;

/** Messages that are read for a summary. */
const sampleSize = 200;

/** Messages that are read before and after one whose calls or answers are needed. */
const around = 40;

/**
 * How far back a window is read: until so many tokens or visible turns are exceeded (0 turns = any number).
 */
export interface Reach {
  readonly tokens: number;
  readonly turns: number;
  /** The last message to be seen. */
  readonly upTo?: number | undefined;
}

export interface WindowContents {
  /** What a model sees of all before `entries`. */
  readonly archived: ArchiveRecord | undefined;
  readonly head: readonly Entry[];
  readonly entries: readonly Entry[];
  /** There is more between what is archived and the entries. */
  readonly hasMore: boolean;
}

type PinnedIn = Pick<Conversation, "id" | "isArchived" | "pinnedMessageIds">;

/**
 * The newest messages of a conversation, read from the end, page by page, as far as what was archived last:
 * what it costs does not grow with the conversation.
 */
export async function readWindow(
  parts: Parts,
  conversation: PinnedIn,
  reach: Reach,
): Promise<WindowContents> {
  const { id, isArchived = false } = conversation;
  const archived = (isArchived && (await parts.archive?.newest(id, reach.upTo))) || undefined;
  const { messages, hasMore } = await readBack(parts, id, archived?.last ?? 0, reach);
  const make = entryMaker();
  const contents = { archived, head: [], hasMore };
  if (archived === undefined) return { ...contents, entries: withCalls(make(messages)) };
  const head = make(await visibleBefore(parts, conversation, archived));
  return { ...contents, head, entries: withCalls(make(messages)) };
}

async function readBack({ conversations }: Parts, id: string, after: number, { tokens, turns, upTo }: Reach) {
  const read: Message[] = [];
  let left = tokens;
  let visible = 0;
  const make = entryMaker();
  for (let before = (upTo ?? Number.MAX_SAFE_INTEGER - 1) + 1; ; before = read.at(-1)?.seq ?? 0) {
    const page = await conversations.messages(id, { limit: pageSize, newest: true, after, before });
    for (const message of page.toReversed()) {
      left -= tokensOf(make([message]));
      if (message.visible) visible++;
      if ((left < 0 && read.length > 0) || (turns > 0 && visible > turns))
        return { messages: read.toReversed(), hasMore: true };
      read.push(message);
    }
    if (page.length < pageSize) return { messages: read.toReversed(), hasMore: false };
  }
}

/** What the model went on seeing of what is archived, and what the person has pinned since. */
async function visibleBefore(
  parts: Parts,
  conversation: PinnedIn,
  { kept, last }: ArchiveRecord,
): Promise<readonly Message[]> {
  const [before, pinned] = await Promise.all([
    parts.stores.messages.find({ conversationId: conversation.id, seq: { in: kept } }, { order: "seq" }),
    pinnedUnits(parts, conversation, last + 1),
  ]);
  return inOrder([...before, ...pinned]);
}

/**
 * The first thing that the person said, and what is pinned, each with its calls and answers; of messages
 * before a number.
 */
export async function pinnedBefore(
  parts: Parts,
  conversation: PinnedIn,
  before: number,
): Promise<readonly Entry[]> {
  const [first, pinned] = await Promise.all([
    firstUserMessage(parts, conversation.id),
    pinnedUnits(parts, conversation, before),
  ]);
  const all = [first, ...pinned].filter((message) => message !== undefined && message.seq < before);
  return entryMaker()(inOrder(all as readonly Message[]));
}

export async function firstUserMessage(
  { stores }: Parts,
  conversationId: string,
): Promise<Message | undefined> {
  const found = await stores.messages.find({ conversationId, visible: true }, { order: "seq", limit: 10 });
  return found.find(({ role }) => role === "user");
}

async function pinnedUnits(
  { stores }: Parts,
  { id, pinnedMessageIds = [] }: PinnedIn,
  before: number,
): Promise<readonly Message[]> {
  const pinned = await Promise.all(pinnedMessageIds.map((messageId) => stores.messages.get(messageId)));
  const standing = pinned
    .filter((message) => message !== undefined)
    .filter(({ superseded, seq }) => superseded !== true && seq < before);
  return (await Promise.all(standing.map((message) => unitOf(stores, id, message)))).flat();
}

async function unitOf(
  { messages }: Parts["stores"],
  conversationId: string,
  message: Message,
): Promise<readonly Message[]> {
  if (message.role !== "tool" && message.toolCalls === undefined) return [message];
  const near = await messages.find(
    { conversationId, seq: { gte: message.seq - around, lt: message.seq + around } },
    { order: "seq" },
  );
  const unit = unitsOf(entryMaker()(near)).find((entries) =>
    entries.some(({ stored }) => stored.id === message.id),
  );
  return withCalls(unit ?? []).map(({ stored }) => stored);
}

function inOrder(messages: readonly Message[]): readonly Message[] {
  const bySeq = new Map(messages.map((message) => [message.seq, message]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}

/** The newest of the messages between two numbers, exclusive: enough of them to tell what they were about. */
export const sampleOf = (
  { conversations }: Parts,
  id: string,
  after: number,
  before: number,
): Promise<readonly Message[]> =>
  conversations.messages(id, { limit: sampleSize, newest: true, after, before });
