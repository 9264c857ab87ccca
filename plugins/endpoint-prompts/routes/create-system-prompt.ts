import type { Route } from "@pergola/sdk";
import type { PromptDraft, SystemPrompt } from "@pergola/sdk/host";
import { promptsOf } from "../prompts-of.ts";
import { defaultIdOf, systemFields, systemFieldsOf, systemProperties, wireSystem } from "../system-prompt.ts";

export const createSystemPrompt: Route = {
  method: "POST",
  path: "/api/prompts/system",
  summary: "Make a system prompt",
  body: { type: "object", properties: systemFields, required: ["name", "content"] },
  response: { type: "object", properties: systemProperties },
  async handle({ body }, services) {
    const made = await promptsOf(services).system.create(systemFieldsOf(body) as PromptDraft<SystemPrompt>);
    return { status: 201, body: wireSystem(made, await defaultIdOf(services)) };
  },
};
