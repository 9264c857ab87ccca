import { AppError, defined, type Conversation, type ConversationFields } from "@pergola/sdk";
import type { Parts, TopicAccess } from "@pergola/sdk/host";

/** The topic that a change names, null for none; undefined where it does not mention one. */
function topicIn({ topicId, settings = {} }: ConversationFields): string | null | undefined {
  if (topicId !== undefined || !("sharedTopicId" in settings)) return topicId;
  return settings.sharedTopicId ?? null;
}

/** What a conversation may do in its topic. */
const accessIn = ({ sharedTopicAccess = "write" }: Conversation["settings"]): TopicAccess =>
  sharedTopicAccess;

/**
 * Whether a change would move a conversation to another topic, or change its access. Repeating the present
 * settings does neither.
 */
export function isAttachment(now: Conversation, changes: ConversationFields): boolean {
  const { topicId: attached, settings = {} } = changes;
  const topicId = topicIn(changes);
  const changesAccess = "sharedTopicAccess" in settings && accessIn(settings) !== accessIn(now.settings);
  return attached !== undefined || (topicId !== undefined && topicId !== now.topicId) || changesAccess;
}

/**
 * A conversation after a change; settings are merged key by key. `topicId` names its topic, and the settings
 * always repeat it for older clients. What it may do there belongs to the attachment and ends with it.
 */
export function changed(now: Conversation, changes: ConversationFields): Conversation {
  const { topicId: attached, settings = {}, ...fields } = changes;
  const named = topicIn(changes);
  let { topicId } = now;
  if (named !== undefined) topicId = named;
  const merged: Record<string, unknown> = {
    ...now.settings,
    ...settings,
    sharedTopicName: undefined,
  };
  if (named !== undefined) merged["sharedTopicId"] = named;
  if (topicId !== now.topicId && !("sharedTopicAccess" in settings)) merged["sharedTopicAccess"] = undefined;
  const model = chosenModel(now, changes);
  if (model !== undefined) merged["selectedModel"] = undefined;
  if (attached !== undefined) merged["useSharedData"] = settings.useSharedData ?? attached !== null;
  return {
    ...now,
    ...fields,
    ...defined({ model }),
    topicId,
    settings: merged,
  };
}

/** The model is a field, and a setting for older clients: of two, the one that differs from now counts. */
function chosenModel(now: Conversation, { model, settings = {} }: ConversationFields) {
  if (!("selectedModel" in settings)) return model;
  const { selectedModel = null } = settings;
  if (model === undefined || model === (now.model ?? now.settings.selectedModel ?? null))
    return selectedModel;
  return model;
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
 * Does work while the topic and the folder that a change names exist and cannot be deleted. Rejects with
 * `not_found`, naming the field.
 */
export function whileThere<T>(
  { topics, folders }: Parts,
  changes: ConversationFields,
  work: () => Promise<T>,
): Promise<T> {
  let param = "topicId";
  if (changes.topicId === undefined) param = "sharedTopicId";
  return withKnown(topics, param, topicIn(changes), () =>
    withKnown(folders, "folderId", changes.folderId, work),
  );
}

async function withKnown<T>(
  keeper: Parts["topics"] | Parts["folders"],
  param: string,
  id: string | null | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (id === undefined || id === null) return work();
  const unknown = new AppError({
    code: "not_found",
    message: `Nothing has the ${param} "${id}".`,
    param,
  });
  if (keeper === undefined) throw unknown;
  return keeper.withLock(id, async () => {
    if ((await keeper.find(id)) === undefined) throw unknown;
    return work();
  });
}
