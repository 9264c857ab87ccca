import type { Route } from "@pergola/sdk";
import { miniPaths, miniProperties, wireMini } from "../mini-prompt.ts";
import { promptsOf } from "../prompts-of.ts";
import { promptParameter } from "../schemas.ts";

export const getMiniPrompt: Route = {
  method: "GET",
  path: "/api/prompts/mini/{promptId}",
  aliases: miniPaths("/{promptId}"),
  summary: "Show a mini prompt",
  params: promptParameter,
  response: { type: "object", properties: miniProperties },
  handle: async ({ params }, services) => ({
    body: wireMini(await promptsOf(services).mini.get(params["promptId"] ?? "")),
  }),
};
