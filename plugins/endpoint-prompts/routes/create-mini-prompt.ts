import type { Route } from "@pergola/sdk";
import type { MiniPrompt, PromptDraft } from "@pergola/sdk/host";
import { miniFields, miniFieldsOf, miniPaths, miniProperties, wireMini } from "../mini-prompt.ts";
import { promptsOf } from "../prompts-of.ts";

export const createMiniPrompt: Route = {
  method: "POST",
  path: "/api/prompts/mini",
  aliases: miniPaths(),
  summary: "Make a mini prompt",
  body: { type: "object", properties: miniFields, required: ["name", "content"] },
  response: { type: "object", properties: miniProperties },
  async handle({ body }, services) {
    const made = await promptsOf(services).mini.create(miniFieldsOf(body) as PromptDraft<MiniPrompt>);
    return { status: 201, body: wireMini(made) };
  },
};
