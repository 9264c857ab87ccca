import { definePlugin, defineTool } from "@pergola/sdk";
import { think } from "./operations/think.ts";

export const thinkTool = defineTool({
  name: "think",
  description: "Write down a thought before you act. Changes nothing.",
  operations: [think],
  operationLabel: "thinking",
  icon: "brain",
});

export default definePlugin({ tools: [thinkTool] });
