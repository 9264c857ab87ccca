import type { Conversation } from "../contract/conversation.ts";
import { pick } from "../util/pick.ts";
import type { Properties } from "../util/schema.ts";

export const text = { type: "string" } as const;
export const textOrNull = { type: ["string", "null"] } as const;
export const flag = { type: "boolean" } as const;

/** A conversation as it stands in lists. */
export const wireSummary = (conversation: Conversation) => ({
  ...pick(
    conversation,
    "id",
    "title",
    "messageCount",
    "created",
    "updated",
    "folderId",
    "topicId",
    "isPinned",
    "hidden",
  ),
  workingDirectory: directoryOf(conversation),
});

/** A topic's folder is known by the topic alone. */
const directoryOf = ({ workingDirectory, workspace, topicId }: Conversation): string | null =>
  workingDirectory ?? (topicId === null ? workspace : null);

/** The fields of `wireSummary`. */
export const summaryProperties: Properties = {
  id: text,
  title: text,
  messageCount: { type: "integer", description: "Turns that the person sees" },
  created: { ...text, format: "date-time" },
  updated: { ...text, format: "date-time" },
  folderId: textOrNull,
  topicId: textOrNull,
  isPinned: flag,
  hidden: flag,
  workingDirectory: { ...textOrNull, description: "null: that of its topic" },
};
