import { defined, defineOperation, toolDisplay } from "@pergola/sdk";
import { asData, rounded } from "../entries.ts";
import { memoryOf } from "../memory-of.ts";

export const recallHistory = defineOperation({
  name: "recall_history",
  description: "Search what was said earlier.",
  effect: "read",
  parameters: {
    query: { type: "string", minLength: 1 },
    topic_id: { type: "string", description: "Search all conversations of this topic" },
    time_hint: { type: "string", enum: ["recent", "early"] },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: 10,
      default: 3,
      aliases: ["top_k"],
    },
  },
  required: ["query"],
  display: ({ query }) => toolDisplay("Recall", query, "brain"),
  examples: [
    { say: "what did we say about the budget earlier", arguments: { query: "budget" } },
    { say: "recall our conversation about the garden", arguments: { query: "garden" } },
    {
      say: "what did I tell you at the beginning about my job",
      arguments: { query: "my job", time_hint: "early" },
    },
    { say: "what did I say earlier about the garage?", arguments: { query: "the garage" } },
    { say: "what did we discuss about the price before?", arguments: { query: "the price" } },
    { say: "what did we talk about regarding the roof?", arguments: { query: "the roof" } },
  ],
  async run({ query, topic_id: topicId, time_hint: timeHint, limit }, context) {
    const filter = defined({ query, limit, topicId: topicId || undefined, timeHint });
    const found = await memoryOf(context).recall(filter);
    const chunks = found.map((chunk) => ({ ...chunk, score: rounded(chunk.score) }));
    if (chunks.length === 0) return { data: { chunks }, message: "Nothing like it was said here." };
    return { data: { chunks }, message: asData };
  },
});
