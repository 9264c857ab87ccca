import { defineEndpoints, defineTool, type PluginHost } from "@pergola/sdk";
import { defineHostPlugin } from "@pergola/sdk/host";
import { listMiniPrompts } from "./operations/list-mini-prompts.ts";
import { listSystemPrompts } from "./operations/list-system-prompts.ts";
import { miniPromptRoutes } from "./mini-prompt-routes.ts";
import { personalityRoutes } from "./personality-routes.ts";
import { Prompts } from "./prompts.ts";
import { systemPromptRoutes } from "./system-prompt-routes.ts";

const prompts = defineEndpoints({
  group: "prompts",
  needs: "prompts",
  routes: [...systemPromptRoutes, ...miniPromptRoutes],
});

const personalities = defineEndpoints({
  group: "personalities",
  needs: "prompts",
  routes: personalityRoutes,
});

/** What models of other services call as tools of their own. */
const promptNames = (host: PluginHost) =>
  defineTool({
    name: "prompt_names",
    description: "Name the stored prompts.",
    icon: "message-square",
    hidden: true,
    aliases: { list_system_prompts: "list_system_prompts", list_mini_prompts: "list_mini_prompts" },
    operations: [listSystemPrompts(host), listMiniPrompts(host)],
  });

export default defineHostPlugin({
  parts: { prompts: (parts) => new Prompts(parts) },
  endpoints: [prompts, personalities],
  register(host) {
    host.tap("collectTools", (registry) => registry.add(promptNames(host)));
  },
});
