import { defineOperation, ToolError, type MemoryItem } from "@pergola/sdk";
import { valueOf } from "../entries.ts";
import { memoryOf } from "../memory-of.ts";
import { removeKey } from "./delete-key.ts";

/** By id, or with a key what is stored under it. */
export const deleteMemory = defineOperation({
  name: "delete_memory",
  description: "Delete a memory.",
  effect: "destructive",
  place: "own",
  recovery: "reconcile",
  hidden: true,
  examples: [{ say: "forget memory mem_12", arguments: { id: "mem_12" } }],
  parameters: { id: { type: "string", aliases: ["memory_id"] }, key: { type: "string" } },
  reconcile: async ({ id, key }, context) => {
    const memory = memoryOf(context);
    let found: MemoryItem | undefined;
    if (key === undefined) found = await memory.get(id ?? "");
    else found = await valueOf(memory, key);
    if (found === undefined) return "happened";
    return "did_not_happen";
  },
  async run({ id, key }, context) {
    if (key !== undefined) return removeKey(key, context);
    if (id === undefined)
      throw new ToolError("missing_required", "delete_memory needs an id.", {
        hint: "search_memory shows the ids of memories.",
      });
    if (await memoryOf(context).delete(id)) return { data: { id }, message: "Deleted." };
    throw new ToolError("not_found", `There is no memory "${id}" here.`, {
      hint: "search_memory shows the ids of memories.",
    });
  },
});
