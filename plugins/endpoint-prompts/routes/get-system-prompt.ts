import type { Route } from "@pergola/sdk";
import { promptsOf } from "../prompts-of.ts";
import { promptParameter } from "../schemas.ts";
import { defaultIdOf, systemProperties, wireSystem } from "../system-prompt.ts";

export const getSystemPrompt: Route = {
  method: "GET",
  path: "/api/prompts/system/{promptId}",
  summary: "Show a system prompt with its text",
  params: promptParameter,
  response: { type: "object", properties: systemProperties },
  async handle({ params }, services) {
    const prompt = await promptsOf(services).system.get(params["promptId"] ?? "");
    return { body: wireSystem(prompt, await defaultIdOf(services)) };
  },
};
