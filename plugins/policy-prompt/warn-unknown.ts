import { builtInId, builtInPersonalityIds, type RunContext } from "@pergola/sdk";

/** Says what the request or the conversation asks for that is not there: of texts, only the built-in system prompts are installed. */
export function warnUnknown({ request, conversation, warn }: Pick<RunContext, "request" | "conversation" | "warn">): void {
  const personality = request.personalityId ?? conversation.settings.selectedPersonalityId ?? "";
  if (personality !== "" && builtInId(builtInPersonalityIds, personality) === undefined)
    warn(`There is no personality "${personality}"; it was ignored.`);
  if (request.topic !== undefined && conversation.topicId === null) warn(`There are no topics; "${request.topic}" was ignored.`);
  for (const name of request.customInstructions) warn(`There is no mini prompt "${name}"; it was ignored.`);
}
