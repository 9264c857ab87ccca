import { AppError, type Conversation } from "@pergola/sdk";
import { conversationIdOfAlias, isUuid } from "@pergola/sdk/host";

/** The id under which memory, files and terminal work are kept. */
export const scopeOf = ({ id, settings }: Conversation): string =>
  (settings.useSharedData === true && settings.sharedTopicId) || id;

/** UUIDs in lower case; any other text of 1–200 characters is an alias. */
export function idOf(idOrAlias: string): string {
  if (isUuid(idOrAlias)) return idOrAlias.toLowerCase();
  // eslint-disable-next-line no-control-regex
  if (/^[^\u0000-\u001f\u007f]{1,200}$/u.test(idOrAlias)) return conversationIdOfAlias(idOrAlias);
  throw new AppError({
    code: "invalid_id",
    message: "A conversation id is a UUID, or 1 to 200 characters without control characters.",
    param: "conversationId",
  });
}

/** The text that a client uses instead of a UUID. */
export function aliasOf(id: string | undefined): string | null {
  if (id === undefined || isUuid(id)) return null;
  return id;
}

/**
 * The folder below `workspace.base_path` that is made for a conversation, or for the topic that it shares.
 */
export function workspaceName(name: string, scope: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return `${slug || "conversation"}-${scope.slice(0, 8)}`;
}
