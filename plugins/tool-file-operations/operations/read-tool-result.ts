import { defineOperation, longestResultChunk, readResultChunk, toolDisplay } from "@pergola/sdk";
import { offset } from "../parameters.ts";

export const readToolResult = defineOperation({
  name: "read_tool_result",
  description: "Read a piece of a large tool result that was stored. Offsets and lengths count characters.",
  effect: "read",
  keepWhole: true,
  parameters: {
    toolCallId: {
      type: "string",
      minLength: 1,
      aliases: ["resultId"],
      description: "Id of the stored result or of the call that made it",
    },
    offset,
    length: {
      type: "integer",
      minimum: 1,
      maximum: longestResultChunk,
      description: `Characters to read, at most ${longestResultChunk}`,
    },
  },
  required: ["toolCallId"],
  display: ({ toolCallId }) => toolDisplay("Read stored result", toolCallId, "result"),
  examples: [
    { say: "read the stored result call_8f3a", arguments: { toolCallId: "call_8f3a" } },
    { say: "show me more of the tool result res_0c11", arguments: { toolCallId: "res_0c11" } },
    {
      say: "continue reading result res_0c11 at offset 8192",
      arguments: { toolCallId: "res_0c11", offset: 8192 },
    },
    {
      say: "give me 1000 characters of the stored result call_42 from offset 500",
      arguments: { toolCallId: "call_42", offset: 500, length: 1000 },
    },
  ],
  run: ({ toolCallId, ...range }, context) => readResultChunk(context, toolCallId, range),
});
