import { compareText, defineOperation } from "@pergola/sdk";
import { allKeys } from "../entries.ts";
import { memoryOf } from "../memory-of.ts";

export const listKeys = defineOperation({
  name: "list_keys",
  description: "List the keys.",
  effect: "read",
  parameters: {},
  examples: [
    { say: "which keys are stored", arguments: {} },
    { say: "show me all keys in memory", arguments: {} },
    { say: "list the stored keys", arguments: {} },
    { say: "which keys do you have?", arguments: {} },
  ],
  async run(_, context) {
    const keys = (await allKeys(memoryOf(context))).map(({ key }) => key ?? "");
    return { data: { keys: keys.toSorted(compareText) } };
  },
});
