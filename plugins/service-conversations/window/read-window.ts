import { defined, type Conversation, type Message } from "@pergola/sdk";
import type { ArchiveRecord, Parts } from "@pergola/sdk/host";
import { isOn, readBranch, spansOf } from "../history/branches.ts";
import { entriesOf, unitsOf, withCalls, type Entry } from "./entries.ts";
import type { Reach, Thread } from "./thread.ts";

/** Messages that are read for a summary. */
const sampleSize = 200;

/** Messages that are read before and after one whose calls or answers are needed. */
const around = 40;

export interface WindowContents {
  /** What a model sees of all before `entries`. */
  readonly archived: ArchiveRecord | undefined;
  readonly head: readonly Entry[];
  readonly entries: readonly Entry[];
  /** There is more between what is archived and the entries. */
  readonly hasMore: boolean;
}

type PinnedIn = Pick<Conversation, "id" | "isArchived" | "pinnedMessageIds" | "branches" | "activeBranch">;
type Windowed = PinnedIn & Pick<Conversation, "nextSeq">;

/**
 * The newest messages of a conversation, read from the end, page by page, as far as what was archived last:
 * what it costs does not grow with the conversation. Those that its thread has are not read again.
 */
export async function readWindow(
  parts: Parts,
  conversation: Windowed,
  thread: Thread,
  reach: Reach,
): Promise<WindowContents> {
  const { id, isArchived = false, nextSeq } = conversation;
  if (nextSeq === 1) return { archived: undefined, head: [], entries: [], hasMore: false };
  const spans = spansOf(conversation);
  const isOnBranch = ({ branch, last }: ArchiveRecord): boolean =>
    isOn(spans, defined({ branch, seq: last }));
  const archived = (isArchived && (await parts.archive?.newest(id, isOnBranch))) || undefined;
  const found = await thread.newest(archived?.last ?? 0, reach, (page) =>
    parts.conversations.messages(id, { ...page, newest: true }),
  );
  const contents = { archived, head: [], hasMore: found.hasMore, entries: withCalls(found.entries) };
  if (archived === undefined) return contents;
  return { ...contents, head: entriesOf(await visibleBefore(parts, conversation, archived)) };
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
    firstUserMessage(parts, conversation),
    pinnedUnits(parts, conversation, before),
  ]);
  const all = [first, ...pinned].filter((message) => message !== undefined && message.seq < before);
  return entriesOf(inOrder(all as readonly Message[]));
}

export async function firstUserMessage(
  { stores }: Parts,
  conversation: PinnedIn,
): Promise<Message | undefined> {
  const page = { visible: true, limit: 10 } as const;
  const found = await readBranch(stores.messages, conversation.id, spansOf(conversation), page);
  return found.find(({ role }) => role === "user");
}

async function pinnedUnits(
  { stores }: Parts,
  conversation: PinnedIn,
  before: number,
): Promise<readonly Message[]> {
  const { pinnedMessageIds = [] } = conversation;
  const spans = spansOf(conversation);
  const pinned = await Promise.all(pinnedMessageIds.map((messageId) => stores.messages.get(messageId)));
  const standing = pinned
    .filter((message) => message !== undefined)
    .filter((message) => isOn(spans, message) && message.seq < before);
  return (await Promise.all(standing.map((message) => unitOf(stores, conversation, message)))).flat();
}

async function unitOf(
  { messages }: Parts["stores"],
  conversation: PinnedIn,
  message: Message,
): Promise<readonly Message[]> {
  if (message.role !== "tool" && message.toolCalls === undefined) return [message];
  const near = await readBranch(messages, conversation.id, spansOf(conversation), {
    after: message.seq - around,
    before: message.seq + around,
    limit: 2 * around,
  });
  const unit = unitsOf(entriesOf(near)).find((entries) =>
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
