import type { Conversation, ConversationFields, RunRequest } from "@pergola/sdk";
import { aliasOf } from "./conversation-ids.ts";
import { changed } from "./places.ts";

/** The title of a conversation that has no other yet. */
export const firstTitle = "New Conversation";

/** What a new conversation holds before anybody set anything. */
export const blankConversation = {
  alias: null,
  title: firstTitle,
  titleSetBy: "default",
  messageCount: 0,
  model: null,
  settings: {},
  folderId: null,
  topicId: null,
  isPinned: false,
  hidden: false,
  isFromAPI: true,
  workingDirectory: null,
  workspace: null,
  enabledCustomInstructionIds: [] as readonly string[],
  nextSeq: 1,
} as const;

/** A conversation that is not stored yet. `givenId`: the id or alias that a client chose. */
export function newConversation(
  id: string,
  givenId: string | undefined,
  fields: ConversationFields & { readonly hidden?: boolean },
  now: string,
): Conversation {
  const titleSetBy = fields.title === undefined ? "default" : "user";
  return changed(
    { ...blankConversation, id, alias: aliasOf(givenId), created: now, updated: now, titleSetBy },
    fields,
  );
}

/** One that was made hidden shows itself with its first words; a sub-agent's does not. */
export const staysHidden = (found: Conversation | undefined, { kind }: RunRequest): boolean =>
  kind === "subagent" || (found?.hidden === true && found.messageCount > 0);
