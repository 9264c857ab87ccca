import type { Properties, Services } from "@pergola/sdk";
import { builtInPromptIds, type PromptFields, type SystemPrompt } from "@pergola/sdk/host";
import { name, promptText } from "./schemas.ts";
import { promptsOf } from "./prompts-of.ts";

export const systemFields: Properties = {
  name,
  content: promptText(100_000),
  description: { type: "string", maxLength: 2000 },
};

const listed: Properties = {
  id: { type: "string" },
  name: { type: "string" },
  description: { type: "string" },
  isDefault: { type: "boolean", description: "Used where neither request nor conversation names one" },
  builtIn: { type: "boolean", description: "It can not be changed" },
};

export const systemProperties: Properties = { ...listed, content: { type: "string" } };
export const listedSystemProperties = listed;

/** What a checked body says of a system prompt. */
export function systemFieldsOf(body: unknown): PromptFields<SystemPrompt> {
  const known = Object.entries(body as object).filter(([key]) => key in systemFields);
  return Object.fromEntries(known);
}

/** The id of the prompt in force where nobody chose one. */
export async function defaultIdOf(services: Services): Promise<string> {
  const wanted = services.preferences.get<string>("default_system_prompt_id");
  return (await promptsOf(services).system.find(wanted))?.id ?? builtInPromptIds.default;
}

/** A system prompt as lists show it. */
export const wireListed = ({ id, name: title, description, builtIn }: SystemPrompt, defaultId: string) => ({
  id,
  name: title,
  description,
  isDefault: id === defaultId,
  builtIn,
});

export const wireSystem = (prompt: SystemPrompt, defaultId: string) => ({
  ...wireListed(prompt, defaultId),
  content: prompt.content,
});
