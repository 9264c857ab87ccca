import type { PreferenceService, RunContext } from "@pergola/sdk";
import { untilDone } from "./prompts/autonomous.ts";
import { builtInPrompt } from "./prompts/built-in.ts";
import { defaultPrompt } from "./prompts/default.ts";
import type { Prompt } from "./prompts/prompt.ts";

type Scene = Pick<RunContext, "request" | "conversation" | "warn">;
type Preferences = Pick<PreferenceService, "get">;

/**
 * The system prompt of a run: the request's, else the conversation's, else the preference's, else the default. An id that nobody knows is
 * passed over with a warning. A run of kind `autonomous` is also told to plan and to work until the task is done.
 */
export function systemPrompt({ request, conversation, warn }: Scene, preferences: Preferences): string {
  const wanted = [
    request.systemPromptId,
    conversation.settings.selectedSystemPromptId,
    preferences.get<string>("default_system_prompt_id"),
  ];
  const { parts } = firstKnown(wanted, warn);
  const added = request.kind === "autonomous" && !parts.includes(untilDone) ? [untilDone] : [];
  return [...parts, ...added].join("\n\n");
}

function firstKnown(ids: readonly (string | undefined)[], warn: (text: string) => void): Prompt {
  for (const id of ids) {
    if (id === undefined || id === "") continue;
    const prompt = builtInPrompt(id);
    if (prompt !== undefined) return prompt;
    warn(`There is no system prompt "${id}"; it was ignored.`);
  }
  return defaultPrompt;
}
