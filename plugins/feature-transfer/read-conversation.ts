import type { Conversation, Message } from "@pergola/sdk";
import type { Topic, Folder, Parts } from "@pergola/sdk/host";
import type { Package } from "./package-form.ts";
import { readSettings } from "./read-settings.ts";

/** Where a conversation comes to stand. */
export interface Place extends Pick<Conversation, "id" | "alias"> {
  readonly folder: Folder | undefined;
  readonly topic: Topic | undefined;
}

/** The record of a packed conversation with these messages. Paths are not taken over. */
export async function readConversation(
  parts: Pick<Parts, "compile" | "prompts" | "timestamp">,
  { conversation: packed, archive = [] }: Package,
  { id, alias, folder, topic }: Place,
  messages: readonly Message[],
  warn: (text: string) => void,
): Promise<Conversation> {
  const now = parts.timestamp();
  const { settings, enabledCustomInstructionIds } = await readSettings(parts, packed, warn);
  const {
    title = "Imported conversation",
    titleSetBy = "user",
    created = now,
    updated = now,
    model = null,
  } = packed;
  const { isPinned = false, hidden = false, isFromAPI = true } = packed;
  const shared =
    topic === undefined
      ? {}
      : { useSharedData: packed.settings?.useSharedData !== false, sharedTopicId: topic.id };
  const pinned = messages.filter((message) => message.isPinned === true).map((message) => message.id);
  return {
    id,
    alias,
    title,
    titleSetBy,
    created,
    updated,
    messageCount: messages.filter(({ visible }) => visible).length,
    model,
    settings: { ...settings, ...shared },
    folderId: folder?.id ?? null,
    topicId: topic?.id ?? null,
    isPinned,
    hidden,
    isFromAPI,
    workingDirectory: null,
    workspace: null,
    enabledCustomInstructionIds,
    nextSeq: (messages.at(-1)?.seq ?? 0) + 1,
    ...(pinned.length > 0 && { pinnedMessageIds: pinned }),
    ...(archive.length > 0 && { isArchived: true }),
  };
}
