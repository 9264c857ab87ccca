import { defined, type Conversation, type ConversationSettings, type Message } from "@pergola/sdk";
import type { Folder, Parts, Topic } from "@pergola/sdk/host";
import type { Package, PackedConversation } from "./package-form.ts";
import { readSettings } from "./read-settings.ts";

/** Where a conversation comes to stand. */
export interface Place extends Pick<Conversation, "id" | "alias"> {
  readonly folder: Folder | undefined;
  readonly topic: Topic | undefined;
  /** Is told what is left out. */
  readonly warn: (text: string) => void;
}

const defaults = {
  title: "Imported conversation",
  titleSetBy: "user",
  model: null,
  isPinned: false,
  hidden: false,
  isFromAPI: true,
} as const;

/** The fields that are taken over as they are. */
const presentFields = (packed: PackedConversation) => {
  const { title, titleSetBy, created, updated, model, isPinned, hidden, isFromAPI, metadata } = packed;
  return defined({ title, titleSetBy, created, updated, model, isPinned, hidden, isFromAPI, metadata });
};

const sharingOf = ({ settings }: PackedConversation, { id }: Topic): ConversationSettings => ({
  useSharedData: settings?.useSharedData !== false,
  sharedTopicId: id,
});

/** The record of a packed conversation with these messages. Paths are not taken over. */
export async function readConversation(
  parts: Pick<Parts, "compile" | "prompts" | "tools" | "timestamp">,
  { conversation: packed, archive = [] }: Package,
  { id, alias, folder, topic, warn }: Place,
  messages: readonly Message[],
): Promise<Conversation> {
  const now = parts.timestamp();
  const { settings, enabledCustomInstructionIds } = await readSettings(parts, packed, warn);
  const pinned = messages.filter((message) => message.isPinned).map((message) => message.id);
  return {
    ...defaults,
    created: now,
    updated: now,
    ...presentFields(packed),
    isImported: true,
    id,
    alias,
    messageCount: messages.filter(({ visible }) => visible).length,
    settings: { ...settings, ...(topic && sharingOf(packed, topic)) },
    folderId: folder?.id ?? null,
    topicId: topic?.id ?? null,
    workingDirectory: null,
    workspace: null,
    enabledCustomInstructionIds,
    nextSeq: (messages.at(-1)?.seq ?? 0) + 1,
    ...(pinned.length > 0 && { pinnedMessageIds: pinned }),
    ...(archive.length > 0 && { isArchived: true }),
  };
}
