import type { RunContext, Services } from "@pergola/sdk";

/** The run's context with the name that its shared topic has now: it may have been renamed since. */
export async function withTopicName<T extends Pick<RunContext, "conversation">>(
  context: T,
  { topics }: Pick<Services, "topics">,
): Promise<T> {
  const { conversation } = context;
  const { topicId, settings } = conversation;
  if (topicId === null || settings.useSharedData !== true) return context;
  const sharedTopicName = (await topics?.find(topicId))?.name ?? null;
  return { ...context, conversation: { ...conversation, settings: { ...settings, sharedTopicName } } };
}
