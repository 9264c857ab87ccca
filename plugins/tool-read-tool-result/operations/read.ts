import { defineOperation, longestResultChunk, readResultChunk } from "@pergola/sdk";

export const read = defineOperation({
  name: "read",
  description: "Read one piece of a stored result.",
  effect: "read",
  keepWhole: true,
  parameters: {
    resultId: {
      type: "string",
      description: "The resultId of the stored result",
      aliases: ["toolCallId", "result_id"],
    },
    offset: { type: "integer", minimum: 0, default: 0, description: "Characters to skip" },
    length: { type: "integer", minimum: 1, maximum: longestResultChunk, description: "Characters to read" },
  },
  required: ["resultId"],
  display: ({ resultId, offset }) => ({
    action: "read",
    actionDisplayName: "Read a stored result",
    summary: offset === 0 ? resultId : `${resultId} from ${offset}`,
    details: [],
  }),
  examples: [
    {
      say: "show me the stored result res_00112233445566778899aabbccddeeff",
      arguments: { resultId: "res_00112233445566778899aabbccddeeff" },
    },
    {
      say: "read the next part of res_00112233445566778899aabbccddeeff from 8192",
      arguments: { resultId: "res_00112233445566778899aabbccddeeff", offset: 8192 },
    },
    {
      say: "give me the first 500 characters of result res_00112233445566778899aabbccddeeff",
      arguments: { resultId: "res_00112233445566778899aabbccddeeff", length: 500 },
    },
  ],
  run: ({ resultId, ...range }, context) => readResultChunk(context, resultId, range),
});
