import type { Collection, Conversation, Message } from "@pergola/sdk";
import type { Fork, MessagePage, MessagePageQuery } from "@pergola/sdk/host";
import { newestTip, tipsOf, type Tip } from "./branch-changes.ts";
import { isOn, spansOf, type Span } from "./branches.ts";

type Messages = Collection<Message>;
type Place = Pick<Message, "branch" | "seq">;

const lastOf = async (messages: Messages, conversation: Conversation): Promise<Message | undefined> =>
  newestTip(conversation, (await tipsOf(messages, conversation)).filter(isActive(conversation)));

const isActive =
  ({ activeBranch = 0 }: Conversation) =>
  ({ branch }: Tip): boolean =>
    branch === activeBranch;

/** From the beginning of a conversation to a message. */
function spansTo(conversation: Conversation, { branch = 0, seq }: Place): readonly Span[] {
  const [last, ...before] = spansOf(conversation, branch);
  return [...before.toReversed(), { branch: last?.branch ?? null, upTo: seq }];
}

const countIn = (messages: Messages, id: string, { branch, upTo }: Span): Promise<number> =>
  messages.count({ conversationId: id, branch, seq: { gte: 0, lt: upTo + 1 } });

async function countOn(messages: Messages, id: string, spans: readonly Span[]): Promise<number> {
  const counts = await Promise.all(spans.map((span) => countIn(messages, id, span)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The messages from a position on. */
async function readFrom(
  messages: Messages,
  id: string,
  spans: readonly Span[],
  { at, limit }: { readonly at: number; readonly limit: number },
): Promise<readonly Message[]> {
  const found: Message[] = [];
  let offset = at;
  for (const { branch, upTo } of spans) {
    const missing = limit - found.length;
    if (missing === 0) break;
    const filter = { conversationId: id, branch, seq: { gte: 0, lt: upTo + 1 } };
    const count = await messages.count(filter);
    if (offset < count)
      found.push(...(await messages.find(filter, { order: "seq", offset, limit: missing })));
    offset = Math.max(0, offset - count);
  }
  return found;
}

/** The messages that follow the same one, or begin the conversation; those of one branch are none. */
async function siblingsBelow(
  messages: Messages,
  { id, branches = [] }: Conversation,
  below: Place | undefined,
): Promise<readonly Message[]> {
  const [parent, after] = [below === undefined ? null : (below.branch ?? 0), below?.seq ?? 0];
  const begun = branches.flatMap((branch, index) =>
    branch.parent === parent && branch.after === after ? [index + 1] : [],
  );
  if (begun.length === 0) return [];
  const firsts = [parent ?? 0, ...begun].map(async (number) => {
    const branch = number === 0 ? null : number;
    const seq = { gte: after + 1, lt: Number.MAX_SAFE_INTEGER };
    return messages.find({ conversationId: id, branch, seq }, { order: "seq", limit: 1 });
  });
  return (await Promise.all(firsts)).flat().toSorted((a, b) => a.seq - b.seq);
}

interface ReadPage {
  readonly page: readonly Message[];
  /** The message before it. */
  readonly before: Message | undefined;
  readonly tip: Message;
}

/** Where others stand beside the messages of a page; by message id. */
async function forksOf(
  messages: Messages,
  conversation: Conversation,
  { page, before, tip }: ReadPage,
): Promise<ReadonlyMap<string, readonly Fork[]>> {
  const forks = new Map<string, readonly Fork[]>();
  if ((conversation.branches ?? []).length === 0) return forks;
  const tips = await tipsOf(messages, conversation);
  for (const [index, { id }] of page.entries()) {
    const siblings = await siblingsBelow(messages, conversation, page[index - 1] ?? before);
    if (siblings.length < 2) continue;
    const forkOf = (message: Message): Fork => ({
      messageId: message.id,
      tipMessageId: message.id === id ? tip.id : (newestTip(conversation, tips, message) ?? message).id,
      timestamp: message.timestamp,
    });
    forks.set(id, siblings.map(forkOf));
  }
  return forks;
}

/** The last message of the branch that is asked for: of the active one where the other message is on it. */
async function findTip(
  messages: Messages,
  conversation: Conversation,
  { tip, around }: { readonly tip: Message | undefined; readonly around: Message | undefined },
): Promise<Message | undefined> {
  if (tip !== undefined) return tip;
  if (around === undefined || isOn(spansOf(conversation), around)) return lastOf(messages, conversation);
  return newestTip(conversation, await tipsOf(messages, conversation), around);
}

/** A page of one branch; undefined where the message around which it is to be is not on it. */
export async function readBranchPage(
  messages: Messages,
  conversation: Conversation,
  { limit, at }: MessagePageQuery,
  named: { readonly tip: Message | undefined; readonly around: Message | undefined },
): Promise<MessagePage | undefined> {
  const { id } = conversation;
  const tip = await findTip(messages, conversation, named);
  if (tip === undefined) return { messages: [], forks: new Map(), at: 0, total: 0, tipMessageId: null };
  const spans = spansTo(conversation, tip);
  const total = await countOn(messages, id, spans);
  let from = at ?? Math.max(0, total - limit);
  if (named.around !== undefined) {
    if (!isOn(spans, named.around)) return undefined;
    const position = (await countOn(messages, id, spansTo(conversation, named.around))) - 1;
    from = Math.max(0, position - Math.floor(limit / 2));
  }
  const [before] = from === 0 ? [] : await readFrom(messages, id, spans, { at: from - 1, limit: 1 });
  const page = await readFrom(messages, id, spans, { at: from, limit });
  const forks = await forksOf(messages, conversation, { page, before, tip });
  return { messages: page, forks, at: from, total, tipMessageId: tip.id };
}
