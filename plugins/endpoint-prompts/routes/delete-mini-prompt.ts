import type { Route } from "@pergola/sdk";
import { miniPaths } from "../mini-prompt.ts";
import { promptsOf } from "../prompts-of.ts";
import { promptParameter, success } from "../schemas.ts";

export const deleteMiniPrompt: Route = {
  method: "DELETE",
  path: "/api/prompts/mini/{promptId}",
  aliases: miniPaths("/{promptId}"),
  summary: "Delete a mini prompt",
  params: promptParameter,
  response: success,
  async handle({ params }, services) {
    await promptsOf(services).mini.delete(params["promptId"] ?? "");
    return { body: { success: true } };
  },
};
