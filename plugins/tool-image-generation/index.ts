import { definePlugin, defineTool } from "@pergola/sdk";
import { generate } from "./operations/generate.ts";
import { listModels } from "./operations/list-models.ts";
import { whyUnavailable } from "./why-unavailable.ts";

export const imageGeneration = defineTool({
  name: "image_generation",
  description: "Make images from text.",
  icon: "image",
  aliases: { generate_image: "generate" },
  operations: [generate, listModels],
  unavailable: whyUnavailable,
});

export default definePlugin({ tools: [imageGeneration] });
