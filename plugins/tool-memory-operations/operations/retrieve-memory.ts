import { defineOperation, ToolError } from "@pergola/sdk";
import { retrieve } from "./retrieve.ts";
import { searchMemory } from "./search-memory.ts";

/** With a key the value under it, else a search. */
export const retrieveMemory = defineOperation({
  name: "retrieve_memory",
  description: "Get the value of a key, or find memories by meaning.",
  effect: "read",
  hidden: true,
  examples: [{ say: "what do you know of Lisbon", arguments: { query: "Lisbon" } }],
  parameters: { ...searchMemory.parameters, ...retrieve.parameters },
  async run(args, context) {
    if (args["key"] !== undefined) return retrieve.run(args as never, context);
    if (args["query"] !== undefined) return searchMemory.run(args as never, context);
    throw new ToolError("missing_required", "retrieve_memory needs a key or a query.", {
      hint: `{"query":"what to look for"}`,
    });
  },
});
