import { builtInId, builtInPersonalityIds, type RunContext } from "@pergola/sdk";

/** Says which texts the request or the conversation asks for that are not there: none but the built-in system prompts are installed. */
export function warnUnknown({ request, conversation, warn }: Pick<RunContext, "request" | "conversation" | "warn">): void {
  const personality = request.personalityId ?? conversation.settings.selectedPersonalityId ?? "";
  if (personality !== "" && builtInId(builtInPersonalityIds, personality) === undefined)
    warn(`There is no personality "${personality}"; it was ignored.`);
  for (const name of request.customInstructions) warn(`There is no mini prompt "${name}"; it was ignored.`);
}
