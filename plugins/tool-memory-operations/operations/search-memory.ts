import { defineOperation, toolDisplay } from "@pergola/sdk";
import { asData, memoryOfHit } from "../entries.ts";
import { memoryOf } from "../memory-of.ts";

/** What a similarity may be given as: a number, or its decimal text. */
export const readThreshold = (text: string): number => Math.min(1, Math.max(0, Number(text)));

export const searchMemory = defineOperation({
  name: "search_memory",
  aliases: ["search"],
  description: "Find memories by meaning.",
  effect: "read",
  parameters: {
    query: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, maximum: 100, default: 10, aliases: ["top_k", "max_results"] },
    similarity_threshold: {
      type: "string",
      pattern: "^-?\\d*\\.?\\d+$",
      default: "0.3",
      description: "0 to 1",
    },
  },
  required: ["query"],
  display: ({ query }) => toolDisplay("Search memory", query, "brain"),
  examples: [
    { say: "what do you remember about my trip to Lisbon", arguments: { query: "trip to Lisbon" } },
    { say: "search your memory for my coffee preferences", arguments: { query: "coffee preferences" } },
    { say: "do you remember which database we chose", arguments: { query: "which database we chose" } },
    { say: "what do you know about my diet?", arguments: { query: "my diet" } },
    { say: "look in your memory for the gate code", arguments: { query: "gate code" } },
    { say: "do you remember my shoe size?", arguments: { query: "my shoe size" } },
    { say: "what have I told you about my work?", arguments: { query: "my work" } },
  ],
  async run({ query, limit, similarity_threshold }, context) {
    const hits = await memoryOf(context).search({
      query,
      limit,
      threshold: readThreshold(similarity_threshold),
    });
    const memories = hits.map(memoryOfHit);
    let message = asData;
    if (memories.length === 0)
      message = "Nothing like it is stored here. Try other words, or recall_history.";
    return { data: { count: memories.length, memories }, message };
  },
});
