import { definePlugin, defineTool } from "@pergola/sdk";
import { read } from "./operations/read.ts";

export const readToolResult = defineTool({
  name: "read_tool_result",
  description:
    "Read a stored tool result piece by piece. Results too long to show carry " +
    "[TOOL_RESULT_STORED: resultId=…].",
  operations: [read],
  icon: "scroll",
});

export default definePlugin({ tools: [readToolResult] });
