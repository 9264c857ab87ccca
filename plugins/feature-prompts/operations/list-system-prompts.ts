import { defineOperation, type Operation, type PluginHost } from "@pergola/sdk";
import { namesIn } from "../names-in.ts";

export const listSystemPrompts = (host: Pick<PluginHost, "services">): Operation =>
  defineOperation({
    name: "list_system_prompts",
    description: "Name the system prompts.",
    effect: "read",
    parameters: {},
    run: async () => namesIn(host.services.prompts?.system),
  });
