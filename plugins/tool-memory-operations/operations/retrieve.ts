import { defineOperation, toolDisplay } from "@pergola/sdk";
import { asData, entryOf, valueOf } from "../entries.ts";
import { memoryOf } from "../memory-of.ts";
import { unknownKey } from "../unknown-key.ts";

export const retrieve = defineOperation({
  name: "retrieve",
  description: "Get the value of a key.",
  effect: "read",
  parameters: { key: { type: "string", minLength: 1 } },
  required: ["key"],
  display: ({ key }) => toolDisplay("Read a value", key, "brain"),
  examples: [
    { say: "what is stored under the key answer", arguments: { key: "answer" } },
    { say: "give me the value of the key mode", arguments: { key: "mode" } },
    { say: "read the key colour", arguments: { key: "colour" } },
    { say: "what does the key answer hold?", arguments: { key: "answer" } },
    { say: "what value has the key mode?", arguments: { key: "mode" } },
  ],
  async run({ key }, context) {
    const memory = memoryOf(context);
    const found = await valueOf(memory, key);
    if (found === undefined) throw await unknownKey(memory, key);
    return { data: entryOf(found), message: asData };
  },
});
