import { defineOperation, type ResultChunk } from "@pergola/sdk";
import { card } from "../card.ts";
import { offset } from "../parameters.ts";

const smallestDefault = 8192;
const largest = 32_768;

/** Two per cent of the model's context at four characters a token, within the limits of a chunk. */
const defaultLength = (contextWindow: number): number =>
  Math.min(largest, Math.max(smallestDefault, Math.floor(contextWindow * 0.02 * 4)));

const chunkText = ({ offset, length, totalLength, hasMore, nextOffset, content }: ResultChunk): string =>
  [
    "[TOOL_RESULT_CHUNK]",
    `Offset: ${offset}`,
    `Length: ${length}`,
    `Total Length: ${totalLength}`,
    `Has More: ${hasMore}`,
    `Next Offset: ${nextOffset ?? "none"}`,
    "",
    content,
  ].join("\n");

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
      maximum: largest,
      description: `Characters to read, at most ${largest}`,
    },
  },
  required: ["toolCallId"],
  display: ({ toolCallId }) => card("Reading stored result", toolCallId, "result"),
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
  async run({ toolCallId, offset: start, length }, context) {
    const chunk = await context.readResult(toolCallId, {
      offset: start,
      length: length ?? defaultLength(context.contextWindow),
    });
    return {
      data: chunkText(chunk),
      message: chunk.hasMore
        ? `Read on with offset ${chunk.nextOffset ?? start}.`
        : "This is the end of the result.",
    };
  },
});
