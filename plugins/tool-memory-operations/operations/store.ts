import { defineOperation, toolDisplay } from "@pergola/sdk";
import { storeOne } from "../memory-of.ts";

export const store = defineOperation({
  name: "store",
  description: "Set the value of a key.",
  effect: "write",
  place: "own",
  recovery: "repeat",
  parameters: {
    key: { type: "string", minLength: 1 },
    content: { type: "string", aliases: ["value"] },
  },
  required: ["key", "content"],
  display: ({ key }) => toolDisplay("Store a value", key, "brain"),
  examples: [
    { say: "store the value 42 under the key answer", arguments: { key: "answer", content: "42" } },
    { say: "save red under the key colour", arguments: { key: "colour", content: "red" } },
    { say: "set the key mode to fast", arguments: { key: "mode", content: "fast" } },
    { say: "put 42 under the key answer", arguments: { key: "answer", content: "42" } },
    { say: "keep the value 42 under the key answer", arguments: { key: "answer", content: "42" } },
  ],
  async run({ key, content }, context) {
    await storeOne(context, { kind: "kv", key, content, contentType: "kv" });
    return { data: { key }, message: "Stored." };
  },
});
