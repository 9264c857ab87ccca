import type { Collection, Conversation, Message, Write } from "@pergola/sdk";
import { MessageTree } from "@pergola/sdk/host";

/** A message of before conversations had branches: those that others had replaced were hidden. */
type FlatMessage = Message & { readonly superseded?: boolean };

/** Messages read and written at a time. */
const pageSize = 500;

/** Conversations stored before they had branches know no last message. */
export const isFlat = ({ nextSeq, activeMessageId }: Conversation): boolean =>
  nextSeq > 1 && activeMessageId === undefined;

/** Replaced messages were hidden; whether the client had seen one follows from what it is. */
const wasVisible = ({ role, runId, completionReason, toolCalls = [] }: Message): boolean =>
  runId === null ||
  (role === "assistant" &&
    (completionReason !== undefined || toolCalls.some(({ callers }) => callers === true)));

/**
 * Gives the messages of a conversation their parents, and those that others had replaced a branch of their
 * own, so that they can be seen and chosen again. What was active stays active. Beginning anew after a cut
 * gives the same.
 */
export async function toTree(
  conversation: Conversation,
  messages: Collection<Message>,
  commit: (writes: readonly Write[]) => Promise<void>,
): Promise<Conversation> {
  const tree = new MessageTree();
  let active: string | null = null;
  let replaced: string | null = null;
  const place = (message: FlatMessage): Message => {
    const parent = replaced ?? active;
    if (message.superseded === true) {
      replaced = message.id;
      return tree.add({ ...message, visible: wasVisible(message) }, parent);
    }
    const placed = tree.add(message, active);
    [active, replaced] = [message.id, null];
    return placed;
  };
  for (let after = 0; ;) {
    const page = await messages.find(
      { conversationId: conversation.id, seq: { gte: after + 1, lt: Number.MAX_SAFE_INTEGER } },
      { order: "seq", limit: pageSize },
    );
    await commit(
      page.map(({ version: ifVersion, ...message }) => ({
        collection: "messages",
        put: place(message),
        ifVersion,
      })),
    );
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) break;
    after = last.seq;
  }
  return { ...conversation, ...tree.fields(active) };
}
