import type { Route } from "@pergola/sdk";
import { promptsOf } from "../prompts-of.ts";
import { promptParameter, success } from "../schemas.ts";

export const deleteSystemPrompt: Route = {
  method: "DELETE",
  path: "/api/prompts/system/{promptId}",
  summary: "Delete a system prompt; whoever has chosen it falls back to the default",
  params: promptParameter,
  response: success,
  async handle({ params }, services) {
    await promptsOf(services).system.delete(params["promptId"] ?? "");
    return { body: { success: true } };
  },
};
