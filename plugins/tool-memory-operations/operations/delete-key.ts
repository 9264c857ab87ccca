import { defineOperation, type ToolContext, toolDisplay } from "@pergola/sdk";
import { valueOf } from "../entries.ts";
import { memoryOf } from "../memory-of.ts";
import { unknownKey } from "../unknown-key.ts";

/** Throws `not_found` for a key that nothing is stored under. */
export async function removeKey(key: string, context: ToolContext) {
  const memory = memoryOf(context);
  const found = await valueOf(memory, key);
  if (found === undefined || !(await memory.delete(found.id))) throw await unknownKey(memory, key);
  return { data: { key }, message: "Deleted." };
}

export const deleteKey = defineOperation({
  name: "delete_key",
  description: "Delete a key and its value.",
  effect: "destructive",
  place: "own",
  recovery: "reconcile",
  parameters: { key: { type: "string", minLength: 1 } },
  required: ["key"],
  async reconcile({ key }, context) {
    if ((await valueOf(memoryOf(context), key)) === undefined) return "happened";
    return "did_not_happen";
  },
  display: ({ key }) => toolDisplay("Delete a value", key, "brain"),
  examples: [
    { say: "delete the key answer", arguments: { key: "answer" } },
    { say: "remove the key colour", arguments: { key: "colour" } },
  ],
  run: ({ key }, context) => removeKey(key, context),
});
