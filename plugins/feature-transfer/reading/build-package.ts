import { defined } from "@pergola/sdk";
import { conversationIdOfAlias } from "@pergola/sdk/host";
import type { AppConversation } from "../apps/app.ts";
import { formatVersion, type Package, type PackedMessage } from "../package-form.ts";
import { storableText, timeOf } from "./fields.ts";
import { placeMessages, type Placed } from "./place-messages.ts";

const longestTitle = 200;

/** One line, for a title. */
const line = (text: string): string =>
  storableText(
    text
      .replaceAll(/[\s\0]+/gu, " ")
      .trim()
      .slice(0, longestTitle),
  );

const titleOf = (title: string, [first]: readonly Placed[]): string | undefined =>
  line(title) || line((first?.message.text ?? "").slice(0, longestTitle)).slice(0, 60) || undefined;

function packed({ message, parentId, reasoning }: Placed, timestamp: string | undefined): PackedMessage {
  return {
    id: message.id,
    parentMessageId: parentId,
    role: message.role === "user" ? "user" : "assistant",
    content: storableText(message.text),
    ...defined({ timestamp }),
    ...(reasoning !== "" && { reasoningContent: storableText(reasoning) }),
  };
}

/** Messages without a time have that of the message before them, or of the conversation's beginning. */
function packMessages(placed: readonly Placed[], begun: string | undefined): readonly PackedMessage[] {
  const times = new Map<string | null, string | undefined>([[null, begun]]);
  return placed.map((each) => {
    const time = timeOf(each.message.time) ?? times.get(each.parentId);
    times.set(each.message.id, time);
    return packed(each, time);
  });
}

const idOf = (appId: string, { id, created, messages }: AppConversation): string => {
  const [first] = messages.filter(({ role }) => role !== null);
  return conversationIdOfAlias(`${appId}:${id || `${timeOf(created) ?? ""}:${first?.text ?? ""}`}`);
};

const timesOf = (messages: readonly PackedMessage[]): readonly string[] =>
  messages.flatMap(({ timestamp = [] }) => timestamp).sort();

/**
 * A conversation of an app as a package, the same for the same export; undefined where nothing was said.
 * `modelOf` knows which model of this service is meant by the app's name.
 */
export function buildPackage(
  appId: string,
  conversation: AppConversation,
  modelOf: (name: string) => string | undefined,
): Package | undefined {
  const { messages, active } = placeMessages(conversation.messages, conversation.currentId);
  if (messages.length === 0) return undefined;
  const packedMessages = packMessages(messages, timeOf(conversation.created));
  const times = timesOf(packedMessages);
  return {
    formatVersion,
    conversation: {
      id: idOf(appId, conversation),
      ...defined({
        title: titleOf(conversation.title, messages),
        created: timeOf(conversation.created) ?? times[0],
        updated: timeOf(conversation.updated) ?? times.at(-1),
        model: modelOf(conversation.model ?? ""),
        isPinned: conversation.isPinned || undefined,
      }),
      activeMessageId: active,
      messages: packedMessages,
    },
  };
}
