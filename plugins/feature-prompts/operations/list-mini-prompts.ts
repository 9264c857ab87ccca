import { defineOperation, type Operation, type PluginHost } from "@pergola/sdk";
import { namesIn } from "../names-in.ts";

export const listMiniPrompts = (host: Pick<PluginHost, "services">): Operation =>
  defineOperation({
    name: "list_mini_prompts",
    description: "Name the mini prompts.",
    effect: "read",
    parameters: {},
    run: async () => namesIn(host.services.prompts?.mini),
  });
