import { defineEndpoints } from "@pergola/sdk";
import { defineHostPlugin } from "@pergola/sdk/host";
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

export default defineHostPlugin({
  parts: { prompts: (parts) => new Prompts(parts) },
  endpoints: [prompts, personalities],
});
