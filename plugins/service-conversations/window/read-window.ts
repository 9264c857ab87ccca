import type { Conversation, Message } from "@pergola/sdk";
import type { ArchiveRecord, Parts } from "@pergola/sdk/host";
import { isOn, readBranch, spansOf } from "../history/branches.ts";
import { entryMaker, tokensOf, unitsOf, withCalls, type Entry } from "./entries.ts";

/**
 * Messages read at a time, those that are read for a summary, and those around one that is read with its
 * calls or answers.
 */
const [pageSize, sampleSize, around] = [200, 200, 40];

/**
 * How far back a window is read: until so many tokens or visible turns are exceeded (0 turns = any number).
 */
export interface Reach {
  readonly tokens: number;
  readonly turns: number;
}

export interface WindowContents {
  /** What a model sees of all before `entries`. */
  readonly archived: ArchiveRecord | undefined;
  readonly head: readonly Entry[];
  readonly entries: readonly Entry[];
  /** There is more between what is archived and the entries. */
  readonly hasMore: boolean;
}

type Held = Pick<Conversation, "id" | "isArchived" | "pinnedMessageIds" | "branches" | "activeBranch">;

/**
 * The newest messages of a conversation, read from the end, page by page, as far as what was archived last:
 * what it costs does not grow with the conversation.
 */
export async function readWindow(parts: Parts, conversation: Held, reach: Reach): Promise<WindowContents> {
  const { id } = conversation;
  const spans = spansOf(conversation);
  const archived =
    conversation.isArchived === true
      ? await parts.archive?.newest(id, ({ branch, last }) => isOn(spans, { branch, seq: last }))
      : undefined;
  const { messages, hasMore } = await readBack(parts, id, archived?.last ?? 0, reach);
  const make = entryMaker();
  const head = archived === undefined ? [] : make(await keptMessages(parts, conversation, archived));
  return {
    archived,
    head,
    entries: withCalls(make(messages)),
    hasMore,
  };
}

async function readBack({ conversations }: Parts, id: string, after: number, { tokens, turns }: Reach) {
  const kept: Message[] = [];
  let [left, visible] = [tokens, 0];
  const make = entryMaker();
  for (;;) {
    const page = await conversations.messages(id, {
      limit: pageSize,
      newest: true,
      after,
      ...(kept.length > 0 && { before: kept.at(-1)?.seq ?? 0 }),
    });
    for (const message of page.toReversed()) {
      left -= tokensOf(make([message]));
      if (message.visible) visible++;
      if ((left < 0 && kept.length > 0) || (turns > 0 && visible > turns))
        return { messages: kept.toReversed(), hasMore: true };
      kept.push(message);
    }
    if (page.length < pageSize) return { messages: kept.toReversed(), hasMore: false };
  }
}

/** What the model went on seeing of what is archived, and what the person has pinned since. */
async function keptMessages(
  parts: Parts,
  conversation: Held,
  { kept, last }: ArchiveRecord,
): Promise<readonly Message[]> {
  const [before, pinned] = await Promise.all([
    kept.length === 0
      ? []
      : parts.stores.messages.find({ conversationId: conversation.id, seq: { in: kept } }, { order: "seq" }),
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
  conversation: Held,
  before: number,
): Promise<readonly Entry[]> {
  const [first, pinned] = await Promise.all([
    firstUserMessage(parts, conversation),
    pinnedUnits(parts, conversation, before),
  ]);
  return entryMaker()(inOrder([...(first === undefined || first.seq >= before ? [] : [first]), ...pinned]));
}

export async function firstUserMessage({ stores }: Parts, conversation: Held): Promise<Message | undefined> {
  const page = { visible: true, limit: 10 } as const;
  const found = await readBranch(stores.messages, conversation.id, spansOf(conversation), page);
  return found.find(({ role }) => role === "user");
}

async function pinnedUnits(
  { stores }: Parts,
  conversation: Held,
  before: number,
): Promise<readonly Message[]> {
  const { pinnedMessageIds = [] } = conversation;
  const spans = spansOf(conversation);
  const pinned = await Promise.all(pinnedMessageIds.map((messageId) => stores.messages.get(messageId)));
  const standing = pinned.filter(
    (one): one is NonNullable<typeof one> => one !== undefined && isOn(spans, one) && one.seq < before,
  );
  return (await Promise.all(standing.map((message) => unitOf(stores, conversation, message)))).flat();
}

async function unitOf(
  { messages }: Parts["stores"],
  conversation: Held,
  message: Message,
): Promise<readonly Message[]> {
  if (message.role !== "tool" && message.toolCalls === undefined) return [message];
  const near = await readBranch(messages, conversation.id, spansOf(conversation), {
    after: message.seq - around,
    before: message.seq + around,
    limit: 2 * around,
  });
  const unit = unitsOf(entryMaker()(near)).find((entries) =>
    entries.some(({ stored }) => stored.id === message.id),
  );
  return withCalls(unit ?? []).map(({ stored }) => stored);
}

const inOrder = (messages: readonly Message[]): readonly Message[] =>
  [...new Map(messages.map((message) => [message.seq, message])).values()].toSorted((a, b) => a.seq - b.seq);

/** The newest of the messages between two numbers, exclusive: enough of them to tell what they were about. */
export const sampleOf = (
  { conversations }: Parts,
  id: string,
  after: number,
  before: number,
): Promise<readonly Message[]> =>
  conversations.messages(id, { limit: sampleSize, newest: true, after, before });
