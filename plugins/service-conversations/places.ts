import { AppError, type Conversation, type ConversationFields } from "@pergola/sdk";
import type { Parts, TopicAccess } from "@pergola/sdk/host";

/** The topic that a change names, null for none; undefined where it says nothing of it. */
const topicIn = ({ topicId, settings = {} }: ConversationFields): string | null | undefined =>
  topicId !== undefined
    ? topicId
    : "sharedTopicId" in settings
      ? (settings.sharedTopicId ?? null)
      : undefined;

/** What a conversation may do in its topic. */
const accessIn = ({ sharedTopicAccess = "write" }: Conversation["settings"]): TopicAccess =>
  sharedTopicAccess;

/**
 * Whether a change would move the ground under a run. Settings that only repeat what is so already would not.
 */
export function isAttachment(now: Conversation, changes: ConversationFields): boolean {
  const { topicId: attached, settings = {} } = changes;
  const topicId = topicIn(changes);
  const changesAccess = "sharedTopicAccess" in settings && accessIn(settings) !== accessIn(now.settings);
  return attached !== undefined || (topicId !== undefined && topicId !== now.topicId) || changesAccess;
}

/**
 * A conversation after a change; settings are merged key by key. `topicId` is what tells its topic: the
 * settings say it again for older clients, and never anything else. What it may do there belongs to the
 * attachment and ends with it.
 */
export function changed(now: Conversation, changes: ConversationFields): Conversation {
  const { topicId: attached, settings = {}, ...fields } = changes;
  const topicId = topicIn(changes);
  const merged = { ...now.settings, ...settings, sharedTopicName: undefined };
  const isSame = topicId === undefined || topicId === now.topicId;
  const place = topicId === undefined ? {} : { sharedTopicId: topicId };
  const access = isSame || "sharedTopicAccess" in settings ? {} : { sharedTopicAccess: undefined };
  const sharing =
    attached === undefined ? {} : { useSharedData: settings.useSharedData ?? attached !== null };
  const told = { ...merged, ...place, ...access, ...sharing } as Conversation["settings"];
  return { ...now, ...fields, topicId: topicId === undefined ? now.topicId : topicId, settings: told };
}

/** The same with the ids of topic and folder as they are stored. */
export function withStoredIds(changes: ConversationFields): ConversationFields {
  const { topicId, folderId, settings } = changes;
  const sharedTopicId = settings?.sharedTopicId;
  return {
    ...changes,
    ...(topicId && { topicId: topicId.toLowerCase() }),
    ...(folderId && { folderId: folderId.toLowerCase() }),
    ...(sharedTopicId && { settings: { ...settings, sharedTopicId: sharedTopicId.toLowerCase() } }),
  };
}

/**
 * Does work while the topic and the folder that a change names are there, and stay. Rejects with `not_found`
 * naming the field.
 */
export function whileThere<T>(
  { topics, folders }: Parts,
  changes: ConversationFields,
  work: () => Promise<T>,
): Promise<T> {
  const [topicId, folderId] = [topicIn(changes) ?? null, changes.folderId ?? null];
  const inFolder = (): Promise<T> =>
    folderId === null ? work() : besideKnown(folders, "folderId", folderId, work);
  const param = changes.topicId === undefined ? "sharedTopicId" : "topicId";
  return topicId === null ? inFolder() : besideKnown(topics, param, topicId, inFolder);
}

async function besideKnown<T>(
  keeper: Parts["topics"] | Parts["folders"],
  param: string,
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  const unknown = new AppError({ code: "not_found", message: `Nothing has the ${param} "${id}".`, param });
  if (keeper === undefined) throw unknown;
  return keeper.beside(id, async () => {
    if ((await keeper.find(id)) === undefined) throw unknown;
    return work();
  });
}
