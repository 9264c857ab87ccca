import type { Route } from "@pergola/sdk";
import { miniFields, miniFieldsOf, miniPaths } from "../mini-prompt.ts";
import { promptsOf } from "../prompts-of.ts";
import { promptParameter, success } from "../schemas.ts";

export const updateMiniPrompt: Route = {
  method: "PATCH",
  path: "/api/prompts/mini/{promptId}",
  aliases: miniPaths("/{promptId}"),
  summary: "Change a mini prompt",
  params: promptParameter,
  body: { type: "object", properties: miniFields },
  response: success,
  async handle({ params, body }, services) {
    await promptsOf(services).mini.update(params["promptId"] ?? "", miniFieldsOf(body));
    return { body: { success: true } };
  },
};
