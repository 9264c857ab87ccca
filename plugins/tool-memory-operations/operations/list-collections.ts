import { defineOperation } from "@pergola/sdk";
import { rounded } from "../entries.ts";
import { memoryOf } from "../memory-of.ts";

export const listCollections = defineOperation({
  name: "list_collections",
  description: "Count what is remembered.",
  effect: "read",
  parameters: {},
  examples: [
    { say: "how many memories do you have", arguments: {} },
    { say: "count what you remember", arguments: {} },
    { say: "how many facts have you remembered?", arguments: {} },
    { say: "how many memories are stored?", arguments: {} },
  ],
  async run(_, context) {
    const { total, byType, recent, meanImportance } = await memoryOf(context).statistics();
    return { data: { total, byType, recent, meanImportance: rounded(meanImportance) } };
  },
});
