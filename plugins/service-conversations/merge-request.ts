import type { Conversation, ConversationFields, Message, RunRequest, Write } from "@pergola/sdk";
import { mergeHistory, type Parts } from "@pergola/sdk/host";
import { aliasOf } from "./conversation-ids.ts";
import type { Conversations } from "./conversations.ts";
import { changed } from "./places.ts";
import { cancelledAnswer, storedMessage, toTurn } from "./message-forms.ts";

/**
 * The conversation that a request goes on with, or a new one that is not stored yet, held with the request's
 * changes.
 */
export async function conversationFor(conversations: Conversations, request: RunRequest, id: string) {
  const { workingDirectory, title, sharedMemory, topic: topicName } = request;
  if (workingDirectory !== undefined)
    await conversations.checkWorkingDirectory(workingDirectory, request.caller);
  let isNew = false;
  const conversation = await conversations.hold(id, topicName, async (found, topic) => {
    const fields: ConversationFields = {
      ...(workingDirectory === undefined ? {} : { workingDirectory }),
      ...(sharedMemory === undefined ? {} : { settings: { useSharedData: sharedMemory } }),
      ...(topic === undefined ? {} : { topicId: topic.id }),
    };
    isNew = found === undefined;
    if (found !== undefined) return changed(found, fields);
    const own = { ...fields, ...(title === undefined ? {} : { title }), hidden: request.kind === "subagent" };
    return conversations.draft(id, aliasOf(request.conversationId), own);
  });
  return { conversation, isNew };
}

/**
 * What of the request's messages is new, the number of the last message that still stands, what is
 * superseded, and how many turns are left.
 */
export async function mergeRequest(
  parts: Parts,
  request: RunRequest,
  conversation: Conversation,
  isNew: boolean,
) {
  const sent = request.messages.filter(({ role }) => role !== "system");
  const { conversations, stores } = parts;
  const visible = { conversationId: conversation.id, visible: true };
  const limit = sent.length + 20;
  const last = isNew ? [] : (await stores.messages.find(visible, { order: "-seq", limit })).toReversed();
  const first =
    last.length < limit
      ? last
      : sent.length === 1
        ? []
        : await stores.messages.find(visible, { order: "seq", limit });
  const merge = mergeHistory(sent, first.map(toTurn), last.map(toTurn));
  const { keepUpTo: upTo } = merge;
  const gone =
    upTo === undefined ? [] : await conversations.messages(conversation.id, { after: upTo, limit: 100_000 });
  const hide = (message: Message): Write => ({
    collection: "messages",
    put: { ...message, superseded: true, visible: false } as Message,
  });
  const outdated = upTo === undefined ? [] : (parts.archive?.forgetting(conversation.id, upTo) ?? []);
  const superseded = [
    ...gone.flatMap((message): readonly Write[] => (message.superseded === true ? [] : [hide(message)])),
    ...outdated,
  ];
  const abandoned = merge.abandonedCalls.map((id) => ({
    ...storedMessage(cancelledAnswer(id)),
    visible: false,
  }));
  const messages = [...abandoned, ...merge.append.map((message) => storedMessage(message))];
  const turns = conversation.messageCount - gone.filter((message) => message.visible).length;
  return { superseded, turns, upTo, messages };
}
