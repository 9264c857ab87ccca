import type { Conversation } from "../contract/conversation.ts";
import type { Properties } from "../util/schema.ts";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const flag = { type: "boolean" } as const;

/** A conversation as it stands in lists. */
export const wireSummary = ({
  id,
  title,
  messageCount,
  created,
  updated,
  folderId,
  topicId,
  isPinned,
  hidden,
}: Conversation) => ({
  id,
  title,
  messageCount,
  created,
  updated,
  folderId,
  topicId,
  isPinned,
  hidden,
});

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
};
