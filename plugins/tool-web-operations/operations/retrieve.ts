import { defineOperation, toolDisplay, ToolError } from "@pergola/sdk";
import { asData } from "../messages.ts";
import { query } from "../parameters.ts";
import { researchTag } from "../research/remember.ts";

export const retrieve = defineOperation({
  name: "retrieve",
  description: "Find what earlier research stored.",
  hidden: true,
  effect: "read",
  parameters: { query },
  required: ["query"],
  display: (args) => toolDisplay("Search memory", args.query, "search"),
  async run({ query: text }, { memory }) {
    if (memory === undefined)
      throw new ToolError("unavailable", "Nothing keeps memory here.", { hint: "Use research instead." });
    const hits = await memory.search({
      query: text,
      limit: 20,
      threshold: 0.3,
      origin: "tool",
      tag: researchTag,
    });
    const memories = hits.map(({ item, similarity }) => ({
      id: item.id,
      type: item.contentType,
      content: item.content,
      similarity: Math.round(similarity * 1000) / 1000,
      tags: item.tags,
      created: item.createdAt,
    }));
    const data = { count: memories.length, memories };
    if (memories.length > 0) return { data, message: asData };
    return { data, message: "Nothing like it was found by research here. Use research." };
  },
});
