import { definePlugin, defineTool } from "@pergola/sdk";
import { countWords } from "./operations/count-words.ts";

export const tool = defineTool({
  name: "sample_name",
  description: "Count the words of texts.",
  operations: [countWords],
});

export default definePlugin({ tools: [tool] });
