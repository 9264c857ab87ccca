import type { Route } from "@pergola/sdk";
import { promptsOf } from "../prompts-of.ts";
import { promptParameter, success } from "../schemas.ts";
import { systemFields, systemFieldsOf } from "../system-prompt.ts";

export const updateSystemPrompt: Route = {
  method: "PATCH",
  path: "/api/prompts/system/{promptId}",
  summary: "Change a system prompt; built-in ones can not be changed",
  params: promptParameter,
  body: { type: "object", properties: systemFields },
  response: success,
  async handle({ params, body }, services) {
    await promptsOf(services).system.update(params["promptId"] ?? "", systemFieldsOf(body));
    return { body: { success: true } };
  },
};
