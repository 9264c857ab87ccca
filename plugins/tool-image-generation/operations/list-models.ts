import { defineOperation } from "@pergola/sdk";
import { openService } from "../image-service.ts";

export const listModels = defineOperation({
  name: "list_models",
  description: "List the image models.",
  effect: "read",
  place: "external",
  parameters: {},
  display: () => ({ actionDisplayName: "List image models", summary: "List image models" }),
  examples: [
    { say: "which image models are there?", arguments: {} },
    { say: "list the models for making pictures", arguments: {} },
    { say: "what can you draw with", arguments: {} },
  ],
  async run(_args, context) {
    const models = await (await openService(context)).models();
    return { data: { models: models.map(({ id, name }) => ({ id, name })) } };
  },
});
